import { html, type Markup } from '#foundation/api/http/html'
import { clipped } from '#foundation/core/text'
import { capital } from '../words/plain.js'
import type { Party } from '../words/who.js'

/** An entry of a chart's legend; `line` is a class of the style sheet. */
export interface Key {
  line: 'past' | 'plan' | 'is' | 'was' | 'thr' | 'took' | 'lost' | 'usual' | Party
  label: string
}

/** A drawn chart, and its data as a table for those who cannot see it. */
export interface ChartView {
  /** The message of the chart in one sentence, which is also the title of the drawing. */
  title: string
  svg: Markup
  keys: readonly Key[]
  table: { head: readonly string[]; rows: readonly (readonly string[])[] }
}

/** Returns a chart under its name, as `components/chart` shows it. */
export const shownChart = (name: string, { svg, keys, table, title }: ChartView) => ({
  name: capital(name),
  title,
  svg: svg.toString(),
  keys,
  table,
})

/** Size of the inner drawing, which is stretched to the available width. */
export const WIDTH = 1000
export const HEIGHT = 100

/** Returns a place from left (0) to right (1) as a percentage of the width. */
export const percentOf = (place: number): string => `${rounded(100 * inside(place), 2)}%`

/** Limits a place to 0 to 1. */
export const inside = (place: number): number => Math.min(1, Math.max(0, place))

export function rounded(value: number, digits: number): number {
  const unit = 10 ** digits
  return Math.round(value * unit) / unit
}

/** Returns a line from top to bottom. */
export function upright(place: number, from: number, to: number, className: string): Markup {
  const x = percentOf(place)
  return html`<line x1="${x}" x2="${x}" y1="${from}" y2="${to}" class="${className}" />`
}

/** Returns a line from left to right. */
export const level = (y: number, className: string): Markup =>
  html`<line x1="0" x2="100%" y1="${y}" y2="${y}" class="${className}" />`

/** Returns a path; null if there is nothing to draw. */
export const path = (d: string | null, className: string): Markup | null =>
  d ? html`<path class="${className}" d="${d}" />` : null

/** From this place on, the text of a mark is on its left, as it would leave the drawing otherwise. */
const NEAR_EDGE = 0.82

/** Returns a text beside a mark. */
export function beside(place: number, y: number, text: string, className = ''): Markup {
  const isNear = place > NEAR_EDGE
  return html`<text
    x="${percentOf(place)}"
    dx="${isNear ? -6 : 6}"
    y="${y}"
    text-anchor="${isNear ? 'end' : 'start'}"
    class="${className}"
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

/** Returns the stretched part of a drawing, for paths. */
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

/** The least width of a span that has room for its name. */
const NAMED_FROM = 0.12
const MAX_NAME_LENGTH = 24

/** Returns the name of a span in its middle; null if it has no room. Phones hide it. */
export function nameAcross(
  { left, right }: { left: number; right: number },
  y: number,
  name: string
): Markup | null {
  if (right - left < NAMED_FROM) return null
  const middle = percentOf((left + right) / 2)
  return html`<text x="${middle}" y="${y}" text-anchor="middle" class="wide"
    >${clipped(name, MAX_NAME_LENGTH)}</text
  >`
}
