import type { Instant } from '#foundation/core/clock'
import { html, type Markup } from '#foundation/api/http/html'
import { inside, percentOf } from './chart.js'
import type { TimeAxis } from './time_axis.js'

/** A span of time in which a rollout does not grow. */
export interface Closed {
  from: Instant
  to: Instant
  why: string
  name: string | null
}

/** Returns the edges of a span on an axis, limited to the axis. */
export const edgesOf = (
  { from, to }: Pick<Closed, 'from' | 'to'>,
  { placeOf }: Pick<TimeAxis, 'placeOf'>
) => ({ left: inside(placeOf(from)), right: inside(placeOf(to)) })

/** Draws a span of time as a band from top to bottom. */
export function spanOf(
  span: Pick<Closed, 'from' | 'to'>,
  axis: Pick<TimeAxis, 'placeOf'>,
  top: number,
  bottom: number,
  className = 'freeze'
): Markup {
  const { left, right } = edgesOf(span, axis)
  return html`<rect
    x="${percentOf(left)}"
    y="${top}"
    width="${percentOf(right - left)}"
    height="${bottom - top}"
    class="${className}"
  />`
}
