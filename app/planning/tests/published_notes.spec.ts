import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import GitVersionControl from '#integrations/providers/git/capabilities/version_control'
import { manifest } from '#integrations/providers/git/manifest'
import git from '#integrations/providers/git/plugin'
import { definePlugin } from '#plugin-kit/plugin'
import { ProviderError } from '#plugin-kit/provider_error'
import { workAway } from '#releases/tests/helpers/code_world'
import { loadTestPlugins } from '#tests/support/plugins/index'
import { makePlannedCode } from './support.js'

type Cleanup = Parameters<typeof makePlannedCode>[0]

const URL = 'https://git.acme.example/releases/1'

/** Makes an app with `tagOnRelease`, whose host publishes releases; 1.2.0 is kicked off. */
async function makePublished(cleanup: Cleanup) {
  const published: { tag: string; title: string; notes: string }[] = []
  const host = { refuses: false, isAway: false }
  class WithReleases extends GitVersionControl {
    async createRelease(tag: string, title: string, notes: string) {
      const failure = host.refuses ? 'forbidden' : host.isAway ? 'unavailable' : null
      if (failure) throw new ProviderError(failure, 'Not now', { outcome: 'notApplied' })
      published.push({ tag, title, notes })
      return { id: tag, url: URL }
    }
  }
  const own = manifest.capabilities.versionControl!
  const features = [...(own.features ?? []), 'createRelease' as const]
  const capabilities = { versionControl: { ...own, features } }
  await loadTestPlugins({
    git: async () => ({
      default: definePlugin({
        ...git,
        manifest: { ...manifest, capabilities },
        capabilities: { versionControl: async () => ({ default: WithReleases }) },
      }),
    }),
  })
  cleanup(async () => void (await loadTestPlugins()))
  const code = await makePlannedCode(cleanup, {
    steps: [{ type: 'kickoff' }, { type: 'metadata' }],
  })
  const { admin, at, path, timeline } = code
  const ask = async (requested: Promise<{ status: number; text: string; body: any }>) => {
    const { status, text, body } = await requested
    if (status >= 300) throw new Error(text)
    return body
  }
  await ask(code.automate('tagOnRelease'))
  const described = { version: '1.2.0', releaseName: 'Orbit', releaseDescription: 'Passkeys' }
  await ask(admin.post(at('release'), described))
  await ask(admin.put(`${path('1.2.0')}/kickoff`))
  await workAway()
  const complete = async () => {
    await ask(admin.put(`${path('1.2.0')}/complete`))
    await workAway()
  }
  /** Writes the release notes into the metadata step. */
  const write = async (localizations: { locale: string; whatsNew: string }[]) => {
    const steps = await ask(admin.get(`${path('1.2.0')}/steps`))
    const all: any[] = steps.data ?? steps
    const { id } = all.find(({ type }) => type === 'metadata')
    await db
      .from('step_runs')
      .whereIn('id', db.from('release_steps').where('id', id).select('step_run_id'))
      .update({ notes: JSON.stringify({ localizations }) })
  }
  const reported = async () =>
    (await timeline('1.2.0')).filter(({ type }: { type: string }) =>
      type.startsWith('release.notesPublish')
    )
  return { ...code, published, host, complete, write, reported }
}

test.group('Notes beside the tag of a release', () => {
  test('are published once, with the texts of each locale', async ({ assert, cleanup }) => {
    const { published, complete, write, reported, automate } = await makePublished(cleanup)
    await write([
      { locale: 'de-DE', whatsNew: 'Schneller' },
      { locale: 'en-US', whatsNew: 'Faster\n- everywhere' },
    ])
    await complete()
    const notes = '### de-DE\n\nSchneller\n\n### en-US\n\nFaster\n- everywhere'
    assert.deepEqual(published, [{ tag: '1.2.0', title: '1.2.0 Orbit', notes }])
    const [event, ...others] = await reported()
    assert.deepEqual(others, [])
    assert.containsSubset(event, {
      type: 'release.notesPublished',
      data: { tag: '1.2.0', url: URL },
      actor: { type: 'automation', name: 'tagOnRelease' },
    })
    await automate('tagOnRelease', false)
    await automate('tagOnRelease')
    await workAway()
    assert.lengthOf(published, 1)
  })

  test('have no heading for a single locale, and default to the description', async ({
    assert,
    cleanup,
  }) => {
    const one = await makePublished(cleanup)
    await one.write([{ locale: 'en-US', whatsNew: 'Faster' }])
    await one.complete()
    const none = await makePublished(cleanup)
    await none.complete()
    assert.deepEqual(
      [...one.published, ...none.published].map(({ notes }) => notes),
      ['Faster', 'Passkeys']
    )
  })

  test('are not published if the tag existed before', async ({ assert, cleanup }) => {
    const { repository, published, complete, reported, detail } = await makePublished(cleanup)
    repository.git('tag', '1.2.0', 'main')
    await complete()
    assert.equal((await detail('1.2.0')).tag.name, '1.2.0')
    assert.deepEqual([published, await reported()], [[], []])
  })

  test('wait for a host that does not answer, and are reported if it refuses', async ({
    assert,
    cleanup,
  }) => {
    const { published, host, complete, reported } = await makePublished(cleanup)
    host.isAway = true
    await complete()
    assert.deepEqual([published, await reported()], [[], []])
    host.isAway = false
    await db
      .from('jobs')
      .where('kind', 'release.publishNotes')
      .whereNull('finished_at')
      .update({ visible_at: '2000-01-01T00:00:00.000Z' })
    await workAway()
    assert.lengthOf(published, 1)

    const refused = await makePublished(cleanup)
    refused.host.refuses = true
    await refused.complete()
    const [failed, ...others] = await refused.reported()
    assert.deepEqual(others, [])
    assert.equal(failed.type, 'release.notesPublishFailed')
    assert.include(failed.title, 'Not now')
    assert.equal(failed.data.connection, refused.provider)
    assert.equal((await refused.detail('1.2.0')).tag.name, '1.2.0')
  })
})
