import { Problem } from '../../core/problems/problem.js'
import type { Rendered } from '../execution/render.js'
import type { Quota } from './quota.js'

/**
 * Counts an address whose secret nobody was given as a request without a valid key.
 * @param ip of whoever asks
 * @throws too_many_failures once they have guessed too often
 */
export async function unlessGuessed(
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
