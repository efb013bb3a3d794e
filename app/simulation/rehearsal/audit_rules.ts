/** Statuses that concern the token or the rate limit, not the request. */
const UNRELATED_STATUSES = [401, 429]

interface ProviderCall {
  method: string
  path: string
  status: number | null
  pluginId: string
}

/** Returns calls that were repeated after a refusal, without an accepted call in between. */
export function refusedTwice(calls: readonly ProviderCall[]): string[] {
  const last = new Map<string, string>()
  const repeated: string[] = []
  for (const { method, path, status, pluginId } of calls) {
    const isRefused =
      status !== null && status >= 400 && status < 500 && !UNRELATED_STATUSES.includes(status)
    const request = `${method} ${path} ${status}`
    if (isRefused && last.get(pluginId) === request) repeated.push(request)
    if (isRefused) last.set(pluginId, request)
    else if (status !== null && status < 400) last.delete(pluginId)
  }
  return repeated
}

/** Returns the numbers that do not follow their predecessor; the first has to be 1. */
export const gapsIn = (numbers: readonly number[]): number[] =>
  numbers.filter((each, index) => each !== (numbers[index - 1] ?? 0) + 1)
