import type { Inspector, Element } from '#configuration/checks/inspector'
import { durationOf } from '../duration.js'

/** Reads a duration such as `90m` or `2d12h`, in milliseconds. */
export function readDuration(inspector: Inspector, element: Element): number | undefined {
  const text = inspector.text(element, 40)
  if (text === undefined) return undefined
  const duration = durationOf(text)
  if (duration !== null) return duration
  const message = `"${text}" is no duration of at most a year; one is 90m, 2h30m or 3d`
  inspector.problems.add(element, 'invalid_time', message)
  return undefined
}

/** Reads whole percents as a share, 0 to 1. */
export function readShare(inspector: Inspector, element: Element): number | undefined {
  const percent = inspector.integer(element, 0, 100)
  return percent === undefined ? undefined : percent / 100
}
