/** Statuses about a token or the store itself, not about the request. */
const NO_REFUSALS = [401, 429]

interface AskedCall {
  method: string
  path: string
  status: number | null
  pluginId: string
}

/** Returns calls that a store refused and received again, without an accepted call in between. */
export function refusedTwice(calls: readonly AskedCall[]): string[] {
  const last = new Map<string, string>()
  const twice: string[] = []
  for (const { method, path, status, pluginId } of calls) {
    const isRefused =
      status !== null && status >= 400 && status < 500 && !NO_REFUSALS.includes(status)
    const request = `${method} ${path} ${status}`
    if (isRefused && last.get(pluginId) === request) twice.push(request)
    if (isRefused) last.set(pluginId, request)
    else if (status !== null && status < 400) last.delete(pluginId)
  }
  return twice
}

/** Returns the numbers that are not one above the number before them; the first has to be 1. */
export const gapsIn = (numbers: readonly number[]): number[] =>
  numbers.filter((each, index) => each !== (numbers[index - 1] ?? 0) + 1)
