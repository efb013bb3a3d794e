import { quoted } from '../names.js'
import { refused } from '../program/failures.js'

/** Attempts at a change while others change the branch. */
const TRIES = 5

/**
 * Makes a change again for as long as somebody else was faster.
 * @param change null when the branch is not any more where the change began
 * @throws ProviderError `conflict`
 */
export async function whileItMoves<Result>(
  branch: string,
  change: () => Promise<Result | null>
): Promise<Result> {
  for (let tried = 0; tried < TRIES; tried++) {
    const result = await change()
    if (result !== null) return result
  }
  throw refused('conflict', `The branch ${quoted(branch)} does not stand still`, 'moved')
}
