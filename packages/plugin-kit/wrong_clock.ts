/** Every vendor that checks signing times tolerates a smaller difference. */
const TOLERATED_MS = 120_000

/**
 * Explains by how much the clock of this machine differs from the provider's, which refuses
 * requests signed at another time. Null for a correct clock, or an answer without a date.
 */
export function wrongClock(
  headers: Headers,
  nowMs: number
): { reason: string; action: string } | null {
  const theirs = Date.parse(headers.get('date') ?? '')
  if (Number.isNaN(theirs) || Math.abs(nowMs - theirs) < TOLERATED_MS) return null
  const minutes = Math.round(Math.abs(nowMs - theirs) / 60_000)
  const side = nowMs > theirs ? 'ahead of' : 'behind'
  return {
    reason: `The clock of this machine is ${minutes} minutes ${side} the provider's, which refuses what is signed at another time.`,
    action: 'Whoever runs the service sets the clock.',
  }
}
