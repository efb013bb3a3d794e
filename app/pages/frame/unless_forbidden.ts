import { Problem } from '#foundation/core/problems/problem'

/** Returns an answer; null if the reader may not have it. */
export async function unlessForbidden<Result>(asked: Promise<Result>): Promise<Result | null> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof Problem && error.status === 403) return null
    throw error
  }
}
