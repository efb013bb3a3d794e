import { test } from '@japa/runner'
import { brokenVersionControl } from '#plugin-kit/tests/broken/source_plugins'
import type { VersionControlClass } from '#plugin-kit/tests/broken/source_sample'
import {
  Conformance,
  registerProviderConformance,
  type ConformanceOptions,
} from '#plugin-kit/testing'
import { some } from '#tests/support/effort'
import GitVersionControl from '../capabilities/version_control.js'
import plugin from '../plugin.js'
import { GitServerOfFakes, REPOSITORY } from './support/git_fake.js'
import { CERTIFICATE } from './support/servers.js'

const server = await new GitServerOfFakes().start()

/** The plugin before git’s own server, with a real repository for every rule. */
const options: ConformanceOptions = {
  plugin,
  // It runs the program git, and keeps copies of repositories.
  usesMachine: true,
  fake: () => server.next(),
  settings: { baseUrl: server.origin, probeRepo: REPOSITORY, caFile: CERTIFICATE },
  credentials: {
    good: { token: 'good-token' },
    bad: { token: 'bad-token' },
    readOnly: { token: 'read-only-token' },
    other: { token: 'other-token' },
  },
  data: { versionControl: { repoName: REPOSITORY } },
  before: plugin.manifest,
}

registerProviderConformance({
  test,
  ...options,
  output: new URL('../conformance.json', import.meta.url),
})

test.group('git | the suite with real repositories', (group) => {
  group.teardown(() => server.stop())

  const Git = GitVersionControl as unknown as VersionControlClass
  const rules = new Conformance(options).rules.map(({ id }) => id)
  const mine = Object.keys(brokenVersionControl).filter((id) =>
    rules.includes(`versionControl.${id}`)
  )

  test('a git that breaks {$self} is found out')
    .with(some(mine))
    .run(async ({ assert }, id) => {
      const Broken = brokenVersionControl[id](Git)
      const conformance = new Conformance({
        ...options,
        plugin: {
          ...plugin,
          capabilities: { versionControl: async () => ({ default: Broken }) },
        },
      })
      const rule = conformance.rules.find((each) => each.id === `versionControl.${id}`)!
      await assert.rejects(() => conformance.try(rule))
    })

  test('every rule is tried that a git without requests to merge can break', ({ assert }) => {
    assert.sameMembers(mine, [
      ...Array.from({ length: 18 }, (_, index) => `C${index}`),
      'C25',
      'C26',
      'C27',
    ])
    const groups = ['M1', 'V1', 'A2', 'A3', 'A6', 'H3', 'versionControl.H5', 'versionControl.R4']
    assert.includeMembers(rules, groups)
  })
})
