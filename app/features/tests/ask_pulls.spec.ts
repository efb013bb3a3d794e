import { test } from '@japa/runner'
import type { VersionControl } from '#plugin-kit/capabilities/source'
import { ProviderError, type ProviderErrorCode } from '#plugin-kit/provider_error'
import { askPulls } from '../work/ask_pulls.js'
import { openPull } from './support.js'

const NOW = '2026-11-23T10:00:00.000Z'

/**
 * Returns the numbers of the reported pull requests, and the word for each, if one of four cannot
 * be read.
 */
async function reportedWhere(failing: number, code: ProviderErrorCode) {
  const versionControl = {
    async getPullRequest(number: number) {
      if (number === failing) throw new ProviderError(code, 'No', { outcome: 'notApplied' })
      return openPull(number)
    },
  } as unknown as VersionControl
  const requested = { named: [1, 2, 3, 4], known: new Map(), now: NOW } as const
  const reported = await askPulls(versionControl, [openPull(9)], requested)
  return reported.map(({ number, status }) => [number, status])
}

test.group('Requests for pull requests', () => {
  test('treat a pull request that may not be read like one that does not exist', async ({
    assert,
  }) => {
    for (const code of ['forbidden', 'notFound', 'invalid'] as const) {
      assert.deepEqual(await reportedWhere(3, code), [
        [9, 'open'],
        [4, 'open'],
        [3, null],
        [2, 'open'],
        [1, 'open'],
      ])
    }
  })

  test('leave the rest to another poll when the host stops answering', async ({ assert }) => {
    for (const code of ['rateLimited', 'unavailable', 'timeout'] as const) {
      assert.deepEqual(await reportedWhere(3, code), [
        [9, 'open'],
        [4, 'open'],
      ])
    }
  })
})
