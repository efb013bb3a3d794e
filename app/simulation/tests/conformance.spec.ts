import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { REPOSITORY } from '#integrations/providers/git/tests/support/git_fake'
import { registerProviderConformance } from '#plugin-kit/conformance/register'
import type { Plugin } from '#plugin-kit/plugin'
import appStore from '../provider/app_store/plugin.js'
import gitHost from '../provider/git_host/plugin.js'
import googlePlay from '../provider/google_play/plugin.js'
import world from '../provider/plugin.js'
import { HostedFake } from './support/hosted_fake.js'
import { WorldFake } from './support/world_fake.js'

const BUNDLE = { bundleId: 'com.example.app' }

type Data = Parameters<typeof registerProviderConformance>[0]['data']

const register = (
  plugin: Plugin,
  data: Data,
  fake = () => new WorldFake(),
  settings?: Record<string, unknown>
) =>
  registerProviderConformance({
    test: test as never,
    plugin,
    fake,
    credentials: {
      good: { token: 'good-token' },
      bad: { token: 'bad-token' },
      other: { token: 'other-token' },
    },
    data,
    settings,
    // Repositories of git are in a folder of the machine.
    ...(plugin === gitHost ? { usesMachine: true } : {}),
  })

register(world, {
  versionControl: { repoName: 'acme/app' },
  ci: { workflowId: 'release' },
  chat: { primaryChannelIds: ['C1'] },
  issueTracking: { projects: ['APP'] },
  testManagement: { project: 'App', testRunNameKeywords: 'Regression' },
  experimentation: { environmentId: 'production' },
  onCall: { scheduleId: 'S1' },
})
register(appStore, { appStore: BUNDLE, betaTesting: BUNDLE })
register(googlePlay, { appStore: BUNDLE, betaTesting: BUNDLE }, () => new WorldFake('google'))

const folder = mkdtempSync(join(tmpdir(), 'tarmac-hosted-'))
register(gitHost, { versionControl: { repoName: REPOSITORY } }, () => new HostedFake(folder), {
  baseUrl: folder,
})
test.group('the folder of the git host', (group) => {
  group.teardown(() => rmSync(folder, { recursive: true, force: true }))
  test('is there', ({ assert }) => assert.isTrue(existsSync(folder)))
})
