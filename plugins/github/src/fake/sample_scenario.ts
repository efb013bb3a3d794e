import { createHash } from 'node:crypto'
import type { Scenario } from '@tarmac/plugin-kit/testing'

const shaOf = (name: string) => createHash('sha1').update(name).digest('hex')

const HISTORY: readonly (readonly [message: string, files: Record<string, string>])[] = [
  ['Begin', { 'README.md': '# App\n', 'app/build.gradle': "versionName '1.0.0'\n" }],
  ['Show the basket', { 'basket.txt': 'basket\n' }],
  ['Pay by card', { 'checkout.txt': 'card\n' }],
]

/** Returns a small repository of an Android app with one workflow, to try the service with. */
export function sampleScenario(): Scenario {
  const commits = HISTORY.map(([message, files], index) => ({
    sha: shaOf(message),
    message,
    author: 'Ada Lovelace',
    at: new Date(Date.parse('2026-11-02T09:00:00.000Z') + index * 86_400_000).toISOString(),
    parents: index === 0 ? [] : [shaOf(HISTORY[index - 1][0])],
    files: Object.entries(files).map(([path, text]) => ({ path, text })),
  }))
  const tip = commits[commits.length - 1].sha
  return {
    versionControl: {
      branches: [{ name: 'main', sha: tip, protected: false }],
      commits,
      tags: [{ name: 'v1.0.0', sha: commits[0].sha }],
      pulls: [],
      releases: [],
      conflicting: [],
    },
    ci: {
      workflows: [{ id: 'release.yml', name: 'Release build' }],
      runs: [],
      artifacts: [],
    },
  }
}
