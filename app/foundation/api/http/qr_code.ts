import encodeQR from 'qr'
import { html, type Markup } from './html.js'

const BORDER = 2

/** Draws a QR code of a text as an SVG, with one path for all runs of dark modules. */
export function qrCode(text: string, label: string): Markup {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: BORDER })
  const path = rows
    .flatMap((row, y) => runsOf(row).map(([x, length]) => `M${x} ${y}h${length}v1h-${length}z`))
    .join('')
  return html`<svg
    viewBox="0 0 ${rows.length} ${rows.length}"
    role="img"
    aria-label="${label}"
    shape-rendering="crispEdges"
  >
    <path fill="#000" d="${path}" />
  </svg>`
}

/** Returns the runs of dark modules in a row: start and length. */
function runsOf(row: readonly boolean[]): [x: number, length: number][] {
  const runs: [number, number][] = []
  for (const [x, isDark] of row.entries()) {
    const last = runs.at(-1)
    if (!isDark) continue
    if (last && last[0] + last[1] === x) last[1] += 1
    else runs.push([x, 1])
  }
  return runs
}
