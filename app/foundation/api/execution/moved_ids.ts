import { Moved, refuse } from '../../core/problems/problem.js'

type Params = Record<string, string>

/**
 * Refuses parameters with a NUL: no id contains one, and PostgreSQL refuses it in text.
 * @throws not_found
 */
export function requireIds(params: Params): void {
  if (Object.values(params).some((value) => value.includes('\0'))) throw refuse('not_found')
}

/** Retries with the new id of an object that has moved. HTTP clients are redirected instead. */
export async function followingMoved<Result>(
  params: Params,
  work: (params: Params) => Promise<Result>
): Promise<Result> {
  try {
    return await work(params)
  } catch (error) {
    if (!(error instanceof Moved)) throw error
    const { from, to } = error
    const present = Object.entries(params).map(([name, value]) => [
      name,
      value === from ? to : value,
    ])
    return work(Object.fromEntries(present) as Params)
  }
}
