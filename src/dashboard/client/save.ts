/** Hands a text to the owner as a file. It never passes through an address that a server sees. */
export function saveText(name: string, media: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: media }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}
