import { hoursText } from '#foundation/core/durations'
import { whoText } from '../engine/who_text.js'
import type { ReleaseRetrospectiveEntity } from './entity.js'

/** Maximum number of steps that a message names. */
const MAX_STEPS = 6

/** Returns a retrospective as lines of a message, the longest wait first. */
export function retrospectiveText(retrospective: ReleaseRetrospectiveEntity): string {
  const { version, hours, medianHours, comparedWith, steps } = retrospective
  const last = comparedWith.length > 1 ? `the last ${comparedWith.length}` : 'the one before'
  const usually = medianHours === null ? '' : ` (${last}: ${hoursText(medianHours)})`
  const waited = steps.filter((step) => step.waits.length > 0)
  const omitted = waited.length - MAX_STEPS
  return [
    `${version} took ${hoursText(hours)} from kickoff to completion${usually}`,
    ...waited.slice(0, MAX_STEPS).map(lineOf),
    ...(omitted > 0 ? [`and ${omitted} more`] : []),
  ].join('\n')
}

function lineOf(
  { name, hours, medianHours, waits }: ReleaseRetrospectiveEntity['steps'][number],
  index: number
) {
  const [first, ...others] = waits
  const more = others.length > 0 ? ` and ${others.length} more` : ''
  const usually = medianHours === null ? '' : ` (usually ${hoursText(medianHours)})`
  const line = `${name}: ${hoursText(hours)}${usually}, for ${whoText(first.who)}${more}`
  return index === 0 ? `Longest wait: ${line}` : line
}
