/** Milliseconds. */
export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR
export const WEEK = 7 * DAY

/** Hours as people say them: whole ones from a day on. */
export function hoursText(hours: number): string {
  if (hours < 24) return `${Math.round(10 * hours) / 10} h`
  const whole = Math.round(hours)
  return `${Math.floor(whole / 24)} d ${whole % 24} h`
}
