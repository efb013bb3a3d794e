import { html, type Markup } from '#foundation/api/http/html'
import { clipped } from '#foundation/core/text'
import type { Party } from '../words/who.js'

/** A line of a chart as its legend shows it; its look is a class of the style sheet. */
export interface Key {
  line: 'past' | 'plan' | 'is' | 'was' | 'thr' | 'took' | 'lost' | 'usual' | Party
  label: string
}

/** A drawn chart, and the same as a table for who does not see it. */
export interface ChartView {
  /** Its message in one sentence; the title of the drawing, too. */
  title: string
  svg: Markup
  keys: readonly Key[]
  table: { head: readonly string[]; rows: readonly (readonly string[])[] }
}

/** A chart under its name, as `components/chart` shows it. */
export const shownChart = (name: string, { svg, keys, table, title }: ChartView) => ({
  name: name[0].toUpperCase() + name.slice(1),
  title,
  svg: svg.toString(),
  keys,
  table,
})

/** Size of the inner drawing, which is stretched to the width there is. */
export const WIDTH = 1000
export const HEIGHT = 100

/** A place from left to right, 0 to 1, as a share of the width. */
export const percentOf = (place: number): string => `${rounded(100 * inside(place), 2)}%`

/** A place from 0 to 1; what is outside stands on the edge. */
export const inside = (place: number): number => Math.min(1, Math.max(0, place))

export function rounded(value: number, digits: number): number {
  const unit = 10 ** digits
  return Math.round(value * unit) / unit
}

/** Returns a line from top to bottom. */
export function upright(place: number, from: number, to: number, look: string): Markup {
  const x = percentOf(place)
  return html`<line x1="${x}" x2="${x}" y1="${from}" y2="${to}" class="${look}" />`
}

/** Returns a line from left to right. */
export const level = (y: number, look: string): Markup =>
  html`<line x1="0" x2="100%" y1="${y}" y2="${y}" class="${look}" />`

/** Returns a path; nothing for none. */
export const path = (d: string | null, look: string): Markup | null =>
  d ? html`<path class="${look}" d="${d}" />` : null

/** A text beside a mark stands on the other side where it would leave the drawing. */
const NEAR_EDGE = 0.82

/** Returns a text beside a mark. */
export function beside(place: number, y: number, text: string, look = ''): Markup {
  const isNear = place > NEAR_EDGE
  return html`<text
    x="${percentOf(place)}"
    dx="${isNear ? -6 : 6}"
    y="${y}"
    text-anchor="${isNear ? 'end' : 'start'}"
    class="${look}"
    >${text}</text
  >`
}

/** Returns a whole drawing with its title. */
export const drawing = (
  id: string,
  height: number,
  title: string,
  parts: readonly (Markup | null)[]
) =>
  html`<svg class="chart" height="${height}" role="img" aria-labelledby="${id}">
    <title id="${id}">${title}</title>
    ${parts}
  </svg>`

/** Returns the stretched part of a drawing, in which paths stand. */
export const stretched = (y: number, height: number, parts: readonly (Markup | null)[]): Markup =>
  html`<svg
    x="0"
    y="${y}"
    width="100%"
    height="${height}"
    viewBox="0 0 ${WIDTH} ${HEIGHT}"
    preserveAspectRatio="none"
  >
    ${parts}
  </svg>`

/** A span narrower than that has no room for its name. */
const NAMED_FROM = 0.12
const LONGEST_NAME = 24

/** Returns the name of a span in its middle; nothing if it has no room, as on a phone. */
export function nameAcross(
  { left, right }: { left: number; right: number },
  y: number,
  name: string
): Markup | null {
  if (right - left < NAMED_FROM) return null
  const middle = percentOf((left + right) / 2)
  return html`<text x="${middle}" y="${y}" text-anchor="middle" class="wide"
    >${clipped(name, LONGEST_NAME)}</text
  >`
}
