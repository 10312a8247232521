/** A QR code as text; in colours when the reader is a person, because a code must be dark on light to be scanned. */
export async function qrOf(text: string, coloured: boolean): Promise<string> {
  const { toString } = await import('qrcode')
  const common = { errorCorrectionLevel: 'L', margin: 2 } as const
  return coloured
    ? toString(text, { ...common, type: 'terminal', small: true })
    : toString(text, { ...common, type: 'utf8' })
}
