import { Problem } from '../../core/problems/problem.js'
import type { Rendered } from '../execution/render.js'
import type { Quota } from './quota.js'

/**
 * Limits guesses of secret addresses: a wrong one counts as a failed authentication.
 * @param ip address of the requester
 * @throws too_many_failures once they have guessed too often
 */
export async function limitGuesses(
  quota: Quota,
  ip: string,
  carriedOut: Promise<Rendered>
): Promise<Rendered> {
  const [outcome] = await Promise.allSettled([carriedOut])
  const isGuess =
    outcome.status === 'fulfilled'
      ? outcome.value.status === 404
      : outcome.reason instanceof Problem && outcome.reason.code === 'not_found'
  const blocked = isGuess ? await quota.countFailure(ip) : null
  if (blocked) throw blocked
  return carriedOut
}
