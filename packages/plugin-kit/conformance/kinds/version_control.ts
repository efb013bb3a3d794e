import assert from 'node:assert/strict'
import { FIX, MAIN, PULL, pullScenario, RELEASE, TAG, taggedScenario } from './code.js'
import { branchRules } from './code_branch_rules.js'
import { changeRules } from './code_change_rules.js'
import { pullRules } from './code_pull_rules.js'
import type { KindSuite } from './suite.js'

/** Branches, commits, tags and files; pull requests if the provider has them. */
export const versionControl: KindSuite<'versionControl'> = {
  kind: 'versionControl',
  scenario: () => pullScenario(),
  read: (capability) => capability.getBranch(MAIN),
  absent: (capability) => capability.getBranch('nowhere'),
  list: {
    scenario: (count) => taggedScenario(count),
    page: (capability, cursor) => capability.listTags('', cursor),
    idOf: (item) => (item as { name: string }).name,
  },
  change: {
    run: (capability, mutation) =>
      capability.commitFiles(MAIN, [{ path: 'new.txt', text: 'new\n' }], 'A new file', mutation),
    effects: ({ versionControl: code }) =>
      code?.commits.filter(({ message }) => message.startsWith('A new file')).length ?? 0,
  },
  strange: {
    feature: 'getPullRequest',
    scenario: (state) => pullScenario(state),
    observe: async (capability) => {
      const pull = await capability.getPullRequest!(PULL)
      assert.ok(pull, 'The request is not there')
      return pull.status
    },
  },
  tour: (capability, mutation) => {
    let [tip, fix] = ['', '']
    const learn = async () => {
      tip = (await capability.getBranch(MAIN))?.sha ?? ''
      const { items } = await capability.compare(RELEASE, MAIN)
      fix = items.find(({ message }) => message.startsWith(FIX))?.sha ?? tip
    }
    return [
      learn,
      () => capability.listTags('1'),
      () => capability.createBranch('release/1.1.0', tip, mutation()),
      () => capability.createTag('1.1.0', tip, 'Version 1.1.0', mutation()),
      () => capability.readFile('version.txt', MAIN),
      () => capability.commitFiles(MAIN, [{ path: 'a.txt', text: 'a' }], 'A file', mutation()),
      () => capability.cherryPick(fix, RELEASE, RELEASE, mutation()),
      () => capability.mergeBranch?.(RELEASE, MAIN, 'Bring it back', mutation()),
      () => capability.createRelease?.(TAG, 'Version 1.0.0', 'What is new', mutation()),
      () => capability.openPullRequest?.(RELEASE, MAIN, 'Again', '', mutation()),
      () => capability.listOpenPullRequests?.(),
      () =>
        capability.setStatus?.(
          tip,
          { name: 'tarmac/fix-request', state: 'pending', description: 'It waits' },
          mutation()
        ),
      () => capability.patchIds?.([tip]),
      () => capability.getPullRequest?.(PULL),
      () => capability.pullRequestsForCommit?.(tip),
      () => capability.mergePullRequest?.(PULL, 'merge', tip, mutation()),
    ]
  },
  rules: [...branchRules, ...changeRules, ...pullRules],
}
