import { generateKeyPairSync } from 'node:crypto'
import { test } from '@japa/runner'
import { registerProviderConformance } from '@tarmac/plugin-kit/testing'
import { GitHubFake } from '../fake/github_fake.js'
import plugin from '../plugin.js'
import { contractOfGitHub } from './support/contract.js'

const data = {
  versionControl: { repoName: 'acme/app' },
  ci: { workflowId: 'release.yml' },
  issueTracking: { projects: ['acme/app'] },
}

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
  contract: async () => ({ default: contractOfGitHub() }),
  output: new URL('../conformance.json', import.meta.url),
})

const makeKey = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  }).privateKey
const privateKey = makeKey()

// The same as an App, whose tokens end after an hour.
registerProviderConformance({
  test,
  plugin,
  fake: () => new GitHubFake(),
  credentials: {
    good: { appId: '12345', installationId: '4711', privateKey },
    bad: { appId: '12345', installationId: '99', privateKey },
    other: { appId: '67890', installationId: '4711', privateKey: makeKey() },
  },
  data,
  tickets,
  live: false,
})
