import assert from 'node:assert/strict'
import type { ExperimentationScenario } from '../../fake/scenario.js'
import { failsWith } from '../expecting.js'
import { textIn, type Data, type KindSuite } from './suite.js'

const environmentIn = (data: Data) => textIn(data, 'environmentId', 'production')

function scenarioOf(data: Data, count = 1): { experimentation: ExperimentationScenario } {
  const environment = environmentIn(data)
  const flag = (key: string) => ({
    key,
    name: `Flag ${key}`,
    environment,
    enabled: false,
    etag: '1',
  })
  const flags = Array.from({ length: count }, (_, index) =>
    flag(index === 0 ? 'new-checkout' : `flag-${index}`)
  )
  return { experimentation: { flags } }
}

const flagIn = (state: { experimentation?: ExperimentationScenario }) =>
  state.experimentation?.flags.find(({ key }) => key === 'new-checkout')

/** Flags of an environment. */
export const experimentation: KindSuite<'experimentation'> = {
  kind: 'experimentation',
  scenario: (data) => scenarioOf(data),
  read: (capability, data) => capability.listFlags(environmentIn(data), {}),
  absent: (capability, data) => capability.getFlag(environmentIn(data), 'no-such-flag'),
  list: {
    scenario: (count, data) => scenarioOf(data, count),
    page: (capability, cursor, data) => capability.listFlags(environmentIn(data), {}, cursor),
    idOf: (item) => (item as { key: string }).key,
  },
  tour: (capability, mutation, data) => [
    () => capability.listFlags(environmentIn(data), { query: 'new' }),
    () => capability.getFlag(environmentIn(data), 'new-checkout'),
    () => {
      const m = { ...mutation(), comment: 'Release 1.2.3' }
      return capability.setEnabled(environmentIn(data), 'new-checkout', true, m)
    },
  ],
  rules: [
    {
      id: 'C1',
      title: 'a flag that is turned on is on in the result and at the provider',
      async run(bench, capability) {
        const environment = environmentIn(bench.options.data.experimentation ?? {})
        const m = { ...bench.mutation(), comment: 'Release 1.2.3' }
        const flag = await capability.setEnabled(environment, 'new-checkout', true, m)
        assert.equal(flag.enabled, true)
        assert.equal(flagIn(bench.fake.state())?.enabled, true)
        assert.equal((await capability.getFlag(environment, 'new-checkout'))?.enabled, true)
      },
    },
    {
      id: 'C2',
      title: 'a flag that was changed in the meantime is left unchanged',
      async run(bench, capability) {
        const environment = environmentIn(bench.options.data.experimentation ?? {})
        const seen = await capability.getFlag(environment, 'new-checkout')
        if (seen?.etag === undefined) return
        const change = (enabled: boolean) =>
          capability.setEnabled(environment, 'new-checkout', enabled, {
            ...bench.mutation(),
            etag: seen.etag,
            comment: 'Release 1.2.3',
          })
        await change(true)
        await failsWith(change(false), 'preconditionFailed', 'conflict')
        assert.equal(flagIn(bench.fake.state())?.enabled, true)
      },
    },
    {
      id: 'C3',
      title: 'a flag that does not exist cannot be turned on',
      async run(bench, capability) {
        const environment = environmentIn(bench.options.data.experimentation ?? {})
        const m = { ...bench.mutation(), comment: 'Release 1.2.3' }
        await failsWith(capability.setEnabled(environment, 'no-such-flag', true, m), 'notFound')
      },
    },
  ],
}
