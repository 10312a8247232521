import { create } from 'qrcode'
import { useMemo } from 'preact/hooks'

/** Modules around a code that have to stay empty, so that a camera finds it. */
const MARGIN = 3

/** A text as a QR code: dark on light in either theme, because a code must be so to be scanned. */
export function Qr({ text, label }: { readonly text: string; readonly label: string }) {
  const { path, side } = useMemo(() => drawn(text), [text])
  return (
    <svg class="qr" role="img" aria-label={label} viewBox={`0 0 ${side} ${side}`} shape-rendering="crispEdges">
      <rect width={side} height={side} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}

function drawn(text: string): { readonly path: string; readonly side: number } {
  const { modules } = create(text, { errorCorrectionLevel: 'L' })
  const squares = [...modules.data].flatMap((dark, at) => {
    if (dark === 0) return []
    const [x, y] = [(at % modules.size) + MARGIN, Math.floor(at / modules.size) + MARGIN]
    return [`M${x} ${y}h1v1h-1z`]
  })
  return { path: squares.join(''), side: modules.size + 2 * MARGIN }
}
