import { test } from '@japa/runner'
import { pairWorld, rollingPair, type PairWorld } from '#stores/tests/pairs/support'
import { tidy } from '#stores/tests/support'
import type { StoreType } from '#stores/vocabulary'
import { addresses, addressOf } from '../../addresses.js'
import { attributes, signedIn, textOf } from '../../tests/support.js'

const pageOf = ({ apps, idOf }: PairWorld, type: StoreType) =>
  addressOf(addresses.release, { appId: apps[type], releaseId: idOf(type) })

/** Words that only the API has. */
const OF_API = /managedPublishing|pair=true|=true|release_paired|not_found|\bkey\b/

/** Returns the notice of a page about the form that was sent. */
const noticeIn = (html: string) => textOf(/<div class="sum"[\s\S]*?<\/div>/.exec(html)?.[0] ?? '')

test.group('The pair on the page of a release', (group) => {
  group.each.teardown(tidy)

  test('is joined from a choice, shown and parted, and refusals are explained', async ({
    assert,
  }) => {
    const given = await pairWorld()
    const { world, admin, apps, idOf, pathOf, release } = given
    const person = await signedIn(world)
    const page = pageOf(given, 'apple')
    const { text } = await person.get(page)
    assert.include(textOf(text), 'Goes out together with…')
    const options = /<datalist[\s\S]*?<\/datalist>/.exec(text)![0]
    assert.deepEqual(attributes(options, 'value'), [idOf('google')])
    const action = attributes(text, 'action').find((each) => each.endsWith('/pair'))!

    const refused = async (releaseId: string) => {
      const shown = await person.post(action, { releaseId })
      assert.include(shown.text, `value="${releaseId}"`)
      assert.match(shown.text, /<details class="card fold"\s+open/)
      const notice = noticeIn(shown.text)
      assert.notMatch(notice, OF_API)
      assert.isNull((await release('apple')).pair)
      return [shown.status, notice]
    }
    assert.deepEqual(await refused(idOf('google')), [
      409,
      `Not done. A pair needs managed publishing. Google Play would publish ${idOf('google')} as soon as it approves it, unless managed publishing is on, which Google Play does not show. Turn it on in the Play Console under Publishing overview, and tick the box below.`,
    ])
    assert.deepEqual(await refused(`${apps.google}:9.9.9`), [
      404,
      'Not done. Not found. There is no such release, or you may not see its app. Its id is that of its app and its version, such as acme:4.2.0.',
    ])
    assert.deepEqual(await refused(idOf('apple')), [
      409,
      `Not done. Both releases go to the same kind of store. ${apps.apple} is for the App Store, ${apps.apple} is for the App Store. A pair has one release for iOS and one for Android.`,
    ])
    const [status, notice] = await refused('')
    assert.equal(status, 404)
    assert.include(notice, 'There is no such release')

    const fields = { releaseId: idOf('google'), managedPublishing: 'yes' }
    const old = await person.post(action, { ...fields, _tag: '"before"' })
    assert.equal(old.status, 412)
    assert.include(noticeIn(old.text), 'Your text is kept below.')
    const joined = await person.post(action, fields)
    assert.deepEqual([joined.status, joined.location], [303, page])
    assert.equal((await release('apple')).pair.releaseId, idOf('google'))
    const reported = await person.get(page)
    assert.match(
      textOf(reported.text),
      /They go out together now\..*It goes out together with App \S+-android Android 1\.4\.0 ?\. Nobody has started the takeoff of both\./
    )
    assert.include(attributes(reported.text, 'href'), pageOf(given, 'google'))
    assert.notInclude(reported.text, '<datalist')

    const question = attributes(reported.text, 'href').find((each) => each.endsWith('/pair/part'))!
    const asked = await person.get(question)
    assert.match(textOf(asked.text), /Separate .* 1\.4\.0 from App \S+-android Android 1\.4\.0\?/)
    // Somebody else changes the release.
    await admin.put(pathOf('apple'), { releaseName: 'Lark' })
    const [tag] = attributes(/<input[^>]*name="_tag"[^>]*>/.exec(asked.text)![0], 'value')
    const late = await person.post(question, { _tag: tag })
    assert.equal(late.status, 412)
    assert.match(noticeIn(late.text), / changed this .*This is how it is now\./)
    assert.isNotNull((await release('apple')).pair)
    const [now] = attributes(/<input[^>]*name="_tag"[^>]*>/.exec(late.text)![0], 'value')
    const parted = await person.post(question, { _tag: now })
    assert.deepEqual([parted.status, parted.location], [303, page])
    assert.isNull((await release('apple')).pair)
  })

  test('one press stops one release; the page then offers to stop the other one, too', async ({
    assert,
  }) => {
    const given = await rollingPair()
    const { world, stores, work } = given
    const person = await signedIn(world)
    const page = pageOf(given, 'apple')
    assert.notInclude(textOf((await person.get(page)).text), 'Stop that, too')
    assert.equal((await person.post(`${page}/redButton`)).status, 303)
    const shown = await person.get(page)
    assert.match(
      textOf(shown.text),
      /The red button was pressed\. .*, which goes out with it, is not stopped\. /
    )
    assert.notMatch(textOf(shown.text), OF_API)
    assert.match(
      textOf(shown.text),
      /App \S+-android Android 1\.4\.0 ?, which goes out together with it, continues\. Stop that, too/
    )
    await work(3)
    assert.deepEqual(
      stores.google.changes.filter((each) => each.startsWith('setRollout')),
      []
    )
    const form = (await person.get(page)).text.split('Stop that, too')[0].split('<form').at(-1)!
    const [action] = attributes(form, 'action')
    assert.equal(action, `${pageOf(given, 'google')}/redButton`)
    const stopped = await person.post(action)
    assert.deepEqual([stopped.status, stopped.location], [303, pageOf(given, 'google')])
    await work(3)
    assert.isTrue(stores.google.changes.includes('setRollout halt'))
    assert.notInclude(textOf((await person.get(page)).text), 'Stop that, too')
  })
})
