import { quoted } from '../names.js'
import { refused } from '../program/failures.js'

/** Maximum number of attempts. */
const TRIES = 5

/**
 * Makes a change, and tries again if somebody else moved the branch meanwhile.
 * @param change resolves to null if the branch has moved since it began
 * @throws ProviderError `conflict`
 */
export async function retryWhileMoving<Result>(
  branch: string,
  change: () => Promise<Result | null>
): Promise<Result> {
  for (let tried = 0; tried < TRIES; tried++) {
    const result = await change()
    if (result !== null) return result
  }
  throw refused('conflict', `The branch ${quoted(branch)} keeps moving`, 'moved')
}
