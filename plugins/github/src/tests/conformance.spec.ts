import { test } from '@japa/runner'
import { registerProviderConformance, type ContractOperation } from '@tarmac/plugin-kit/testing'
import { makeApp } from '../fake/apps.js'
import { GitHubFake } from '../fake/github_fake.js'
import plugin from '../plugin.js'
import { assumptions } from './support/assumptions.js'
import { contractOfGitHub } from './support/contract.js'

const data = {
  versionControl: { repoName: 'acme/app' },
  ci: { workflowId: 'release.yml' },
  issueTracking: { projects: ['acme/app'] },
}

let operations: ContractOperation[] | undefined
const contract = async () => ({ default: (operations ??= contractOfGitHub()) })

const tickets = {
  keyOf: (project: string, number: number) => `${project}#${number}`,
  ...{ todo: 'Open', doing: 'Open', done: 'Completed' },
  assignee: 'ada',
  hasOneVersion: true,
}

registerProviderConformance({
  test,
  plugin,
  fake: () => new GitHubFake(),
  credentials: {
    good: { token: 'good-token-4711' },
    bad: { token: 'bad-token-4711' },
    readOnly: { token: 'read-only-token' },
    other: { token: 'other-token-4712' },
  },
  data,
  tickets,
  contract,
  assumptions,
  output: new URL('../conformance.json', import.meta.url),
})

const [app, other] = [makeApp(), makeApp('67890')]

// The same as an App, whose tokens end after an hour.
registerProviderConformance({
  test,
  plugin,
  fake: () => new GitHubFake(undefined, [app, other]),
  credentials: { good: app, bad: { ...app, privateKey: other.privateKey }, other },
  data,
  tickets,
  contract,
  live: false,
})
