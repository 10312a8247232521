/** A QR code as text: in colours for the `eye` of a person, because a code must be dark on light to be scanned. */
export async function qrOf(text: string, reader: 'eye' | 'program'): Promise<string> {
  const { toString } = await import('qrcode')
  const common = { errorCorrectionLevel: 'L', margin: 2 } as const
  return reader === 'eye'
    ? toString(text, { ...common, type: 'terminal', small: true })
    : toString(text, { ...common, type: 'utf8' })
}
