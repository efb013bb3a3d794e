import { html, type Markup } from '#foundation/api/http/html'
import type { Party } from '../words/who.js'
import { inside, percentOf, type Key } from './chart.js'

const LABELS: Readonly<Record<Party, string>> = {
  people: 'people',
  store: 'store',
  system: 'CI and others',
  service: 'Tarmac',
  nobody: 'nobody',
}

/** Returns the legend for the parties that are waited for. */
export const partyKeys = (parties: readonly Party[]): Key[] =>
  (Object.keys(LABELS) as Party[])
    .filter((party) => parties.includes(party))
    .map((line) => ({ line, label: LABELS[line] }))

/** The least width of a part, as a share of the whole, so that it is visible. */
const MIN_WIDTH = 0.002

/** Returns a part of a bar, with a title for the pointer. */
export function barPart(
  party: Party,
  { from, to }: { from: number; to: number },
  { y, height, title }: { y: number; height: number; title: string }
): Markup {
  const left = inside(from)
  const width = Math.max(MIN_WIDTH, inside(to) - left)
  return html`<rect
    x="${percentOf(Math.min(left, 1 - MIN_WIDTH))}"
    y="${y}"
    width="${percentOf(width)}"
    height="${height}"
    class="${party}"
    ><title>${title}</title></rect
  >`
}
