import { test } from '@japa/runner'
import { passMinutes } from '#stores/tests/support'
import { loadTestPlugins } from '#tests/support/plugins/index'
import { HOUR, setTalk } from './support/chat.js'

const TOOK = /took .* from kickoff to completion/

test.group('The message after a completion', (group) => {
  group.each.teardown(async () => void (await loadTestPlugins()))

  for (const [chat, options] of [
    ['a chat that edits', { canEdit: true }],
    ['a chat that does not', { canEdit: false }],
  ] as const) {
    test(`is a message of its own in each channel of ${chat}, with the longest wait`, async ({
      assert,
    }) => {
      const given = await setTalk(['1.0.0'], { ...options, channels: ['C1', 'C2'] })
      const { admin, path, talk, pass } = given
      await admin.put(`${path('1.0.0')}/kickoff`)
      await pass(HOUR)
      talk.posts.length = 0
      passMinutes(120)
      await admin.put(`${path('1.0.0')}/complete`, { force: true })
      await admin.put(`${path('1.0.0')}/complete`, { force: true })
      await pass(4 * HOUR)
      const posted = talk.posts.filter(({ message }) => TOOK.test(message.text))
      assert.deepEqual(posted.map(({ channel }) => channel).sort(), ['C1', 'C2'])
      const [{ message, edits, threadOf }] = posted
      assert.deepEqual([edits, threadOf], [0, undefined])
      const [heading, took, longest] = message.text.split('\n')
      assert.match(heading, / 1\.0\.0$/)
      assert.match(took, /^1\.0\.0 took \S+ h from kickoff to completion$/)
      assert.match(longest, /^Longest wait: .+: .+ h, for .+/)
      // Other messages hold the rest.
      assert.notInclude(message.text, 'released to users')
      await pass(24 * HOUR)
      assert.lengthOf(
        talk.posts.filter((each) => TOOK.test(each.message.text)),
        2
      )
    })
  }

  test('is not sent if it is switched off, or for a release that was skipped or never kicked off', async ({
    assert,
  }) => {
    const { admin, path, talk, pass, set } = await setTalk(['1.0.0', '1.1.0', '1.2.0'])
    await admin.put(`${path('1.0.0')}/complete`)
    await admin.put(`${path('1.1.0')}/kickoff`)
    await admin.put(`${path('1.1.0')}/skip`)
    await set({ type: 'release.retrospective', enabled: false })
    await admin.put(`${path('1.2.0')}/kickoff`)
    await admin.put(`${path('1.2.0')}/complete`, { force: true })
    await pass(HOUR)
    assert.isAbove(talk.posts.length, 0)
    assert.isEmpty(talk.texts().filter((text) => TOOK.test(text)))
  })
})
