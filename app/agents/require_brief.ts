import { refuse } from '#foundation/core/problems/problem'

/**
 * Maximum members of a message, not counting tool arguments. The SDK copies and checks them several
 * times.
 */
const MAX_LENGTH = 1000

/**
 * Refuses a message with too many members. Tool arguments are the body of an operation and have the
 * limits of that body.
 * @throws too_complex
 */
export function requireBrief(message: unknown): void {
  let members = 0
  const add = () => {
    members += 1
    if (members <= MAX_LENGTH) return
    throw refuse('too_complex', {
      detail: `The message has more than ${MAX_LENGTH} members besides the arguments of tools.`,
      members: { limit: MAX_LENGTH },
    })
  }
  const count = (value: unknown, passed: unknown) => {
    if (typeof value !== 'object' || value === null || value === passed) return
    for (const name in value) {
      add()
      count((value as Record<string, unknown>)[name], passed)
    }
  }
  count(message, (message as Called | null)?.params?.arguments)
}

interface Called {
  params?: { arguments?: unknown } | null
}
