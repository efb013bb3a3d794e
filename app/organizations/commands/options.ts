import { DAY, HOUR, MINUTE } from '#foundation/core/durations'
import vine from '@vinejs/vine'
import { UsageError } from '#foundation/console/usage_error'
import { later, type Instant } from '#foundation/core/clock'
import { emailAddress, parseInstant, text } from '#foundation/api/operation/input'

const UNITS: Record<string, number> = { m: MINUTE, h: HOUR, d: DAY }

/** Parses a time span such as `90m`, `24h` or `7d` into milliseconds. @throws UsageError */
export function durationOption(option: string, value: string): number {
  const match = /^(\d{1,5})([mhd])$/.exec(value)
  if (match) return Number(match[1]) * UNITS[match[2]]
  throw new UsageError(`--${option} takes a span such as 90m, 24h or 7d, not "${value}".`)
}

/**
 * Parses the expiry of a key: a date-time, a span from now, or `never`.
 * @returns undefined when the option is absent
 * @throws UsageError
 */
export function expiryOption(value: string | undefined, now: Instant): Instant | null | undefined {
  if (value === undefined) return undefined
  if (value === 'never') return null
  const instant =
    parseInstant(value) ??
    parseInstant(`${value}T00:00:00Z`) ??
    (/^\d{1,5}[mhd]$/.test(value) ? later(now, durationOption('expires', value)) : null)
  if (instant === null) {
    throw new UsageError(`--expires takes a date, a date-time, a span such as 90d, or never.`)
  }
  if (instant <= now) throw new UsageError('--expires lies in the past.')
  return instant
}

export const organizationOptions = vine.create({ name: text(200) })
export const userOptions = vine.create({ email: emailAddress(), name: text(200).optional() })
export const keyOptions = vine.create({ name: text(100) })
