import type { Bench, Opening } from './bench.js'
import type { RuleInput } from './rules/rule.js'

/**
 * Calls everything that a plugin can do once, so that rules can inspect its requests, logs and
 * reads.
 * @returns the errors of the calls, and the account that `check` reported
 */
export async function tour(
  bench: Bench,
  { suites, options }: RuleInput,
  opening: Opening = {}
): Promise<{ errors: Error[]; account: string }> {
  const errors: Error[] = []
  const attempt = async (call: () => Promise<unknown> | undefined) => {
    try {
      await call()
    } catch (error) {
      errors.push(error as Error)
    }
  }
  let account = ''
  const lifecycle = await bench.lifecycle()
  await attempt(async () => {
    account = (await lifecycle.check(bench.context(null, opening))).account
  })
  for (const suite of suites) {
    const data = options.data[suite.kind] ?? {}
    bench.seed(suite.scenario(data))
    const capability = await bench.capability(suite.kind, opening)
    for (const call of suite.tour(capability as never, () => bench.mutation(), data)) {
      await attempt(call)
    }
  }
  return { errors, account }
}
