/** Durations in milliseconds. */
export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR
export const WEEK = 7 * DAY

/** Formats hours for people: `2.5 h`, or `1 d 3 h` from a day on. */
export function hoursText(hours: number): string {
  if (hours < 24) return `${Math.round(10 * hours) / 10} h`
  const whole = Math.round(hours)
  return `${Math.floor(whole / 24)} d ${whole % 24} h`
}
