import { Problem } from '../../core/problems/problem.js'
import type { Rendered } from '../execution/render.js'
import type { Quota } from './quota.js'

/**
 * Limits guesses of secret addresses: a wrong one counts as a request without a valid key.
 * @param ip address of the requester
 * @throws too_many_failures once they have guessed too often
 */
export async function limitGuesses(
  quota: Quota,
  ip: string,
  carriedOut: Promise<Rendered>
): Promise<Rendered> {
  const [came] = await Promise.allSettled([carriedOut])
  const isGuess =
    came.status === 'fulfilled'
      ? came.value.status === 404
      : came.reason instanceof Problem && came.reason.code === 'not_found'
  const blocked = isGuess ? await quota.countFailure(ip) : null
  if (blocked) throw blocked
  return carriedOut
}
