import assert from 'node:assert/strict'
import type { Rule, RuleInput } from './rule.js'

/** Group C: the behaviour of each kind's methods. */
export function capabilityRules({ suites, options }: RuleInput): Rule[] {
  return suites.flatMap((suite) => {
    const data = options.data[suite.kind] ?? {}
    const features = options.plugin.manifest.capabilities[suite.kind]?.features ?? []
    const rules = suite.rules
      .filter(({ feature }) => feature === undefined || features.includes(feature))
      .map((rule): Rule => ({
        id: `${suite.kind}.${rule.id}`,
        title: rule.title,
        async run(bench) {
          bench.seed(suite.scenario(data))
          await rule.run(bench, (await bench.capability(suite.kind)) as never)
        },
      }))
    const { absent } = suite
    if (!absent) return rules
    const missing: Rule = {
      id: `${suite.kind}.C0`,
      title: 'what is not there is null, and no error',
      async run(bench) {
        bench.seed(suite.scenario(data))
        assert.equal(await absent((await bench.capability(suite.kind)) as never, data), null)
      },
    }
    return [missing, ...rules]
  })
}
