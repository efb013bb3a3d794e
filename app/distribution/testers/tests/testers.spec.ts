import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { earlier } from '#foundation/core/clock'
import { refuse } from '#foundation/core/problems/problem'
import { clock, unitOfWork } from '#foundation/core/services'
import { INFO, writeIpa } from '#app-archives/writing/sane_archives'
import { writeTicket } from '../../install_pages/install_tokens.js'
import {
  ipaFor,
  makeInstallable,
  profileFor,
  visit,
  visitor,
  WINDOWS,
} from '../../install_pages/tests/support.js'

const INSTALLER = 'com.apple.appstored/1.0 iOS/18.2 model/iPhone15,2 hwp/t8120 build/22C152'
const PHONE = 'iPhone15,2, iOS 18.2'

const ipaOf = (version: string, buildNumber: string, bundleId = 'com.acme.app') =>
  writeIpa({
    profile: profileFor(100),
    info: {
      ...INFO,
      CFBundleShortVersionString: version,
      CFBundleVersion: buildNumber,
      CFBundleIdentifier: bundleId,
    },
  })

test.group('Tags of builds', () => {
  test('are set by an upload, changed by PATCH, and deleted with the build', async ({ assert }) => {
    const { admin, path, upload } = await makeInstallable()
    const data = { tags: [' passkeys ', 'beta', 'beta'] }
    const { body } = await upload({ data })
    assert.deepEqual(body.tags, ['beta', 'passkeys'])
    const at = `${path}/build/${body.id}`
    const shown = await admin.get(at)
    const same = await admin.patch(at, { tags: ['passkeys', 'beta'] })
    assert.equal(same.headers.etag, shown.headers.etag)
    const other = await admin.patch(at, { tags: ['Ünicode'] })
    assert.deepEqual(other.body.tags, ['Ünicode'])
    assert.deepEqual((await admin.patch(at, { testerNotes: 'x' })).body.tags, ['Ünicode'])
    assert.deepEqual((await admin.patch(at, { tags: [] })).body.tags, [])
    await admin.patch(at, { tags: ['beta'] })
    await admin.delete(at)
    assert.isEmpty(await db.from('build_tags').where('build_id', body.id))
  })

  test('422 for too many, too long and empty ones', async ({ assert }) => {
    const { admin, path, upload } = await makeInstallable()
    const at = `${path}/build/${(await upload()).body.id}`
    const many = Array.from({ length: 21 }, (_, index) => `tag ${index}`)
    for (const tags of [many, ['x'.repeat(51)], [' '], 'beta', [1], null]) {
      assert.equal((await admin.patch(at, { tags })).status, 422, JSON.stringify(tags))
    }
  })
})

test.group('GET builds', () => {
  test('filters by a tag and a search, alone and together, from page to page', async ({
    assert,
  }) => {
    const { admin, path, upload } = await makeInstallable()
    const ids: string[] = []
    for (const [testerNotes, tags, fileName] of [
      ['Log in with a Passkey', ['beta'], 'Acme.ipa'],
      ['100% of all users', ['beta', 'de_DE'], 'Other.ipa'],
      [null, [], 'passkey.ipa'],
    ] as const) {
      ids.push((await upload({ fileName, data: { testerNotes, tags } })).body.id)
    }
    const found = async (query: string) => {
      const { body } = await admin.get(`${path}/builds?${query}`)
      return body.data.map(({ id }: any) => ids.indexOf(id))
    }
    assert.deepEqual(await found('q=PASSKEY'), [2, 0])
    assert.deepEqual(await found('tag=beta'), [1, 0])
    assert.deepEqual(await found('tag=beta&q=passkey'), [0])
    assert.deepEqual(await found('tag=Beta'), [])
    assert.deepEqual(await found('q=100%25'), [1])
    assert.deepEqual(await found('q=0%25o'), [])
    assert.deepEqual(await found('q=e_d'), [1])
    assert.deepEqual(await found('q=s_key'), [])
    assert.deepEqual(await found('q=!'), [])
    const first = await admin.get(`${path}/builds?q=passkey&limit=1`)
    const [, next] = /<(.*)>/.exec(first.headers.link)!
    const second = await admin.get(next)
    assert.deepEqual(
      [first, second].map(({ body }) => ids.indexOf(body.data[0].id)),
      [2, 0]
    )
  })
})

test.group('GET downloads', () => {
  test('lists who downloaded which build, when and on which device, newest first', async ({
    assert,
  }) => {
    const { admin, path, add, link, email, testerId } = await makeInstallable({
      publicLinkEnabled: true,
    })
    const build = await add(ipaFor())
    const mine = await link({ email, buildDistroBuildId: build.id })
    const open = await link({})
    const shown = async () => (await admin.get(`${path}/build/${build.id}`)).body.testers
    assert.deepEqual(await shown(), [{ id: testerId, email, installedAt: null, device: null }])
    const download = (linkId: string, agent: string, headers = {}) => {
      const token = writeTicket('package', { linkId, buildId: build.id }, clock.now())
      return visitor.get(`/install-package/${token}`, {
        headers: { 'user-agent': agent, ...headers },
      })
    }
    // A device sends HEAD, then starts, breaks off, continues, and starts again.
    const token = writeTicket('package', { linkId: mine.id, buildId: build.id }, clock.now())
    await visitor.head(`/install-package/${token}`, { headers: { 'user-agent': INSTALLER } })
    await download(mine.id, INSTALLER, { range: 'bytes=5-' })
    assert.isEmpty((await admin.get(`${path}/downloads`)).body.data)
    await download(mine.id, INSTALLER, { range: 'bytes=0-99' })
    await download(mine.id, INSTALLER, { range: 'bytes=100-' })
    await download(mine.id, INSTALLER)
    await download(open.id, WINDOWS)
    const { status, body } = await admin.get(`${path}/downloads`)
    assert.equal(status, 200)
    assert.deepEqual(
      body.data.map(({ tester, device, installLinkId, buildDistroBuildId }: any) => [
        tester?.email ?? null,
        device,
        installLinkId,
        buildDistroBuildId,
      ]),
      [
        [null, 'Windows', open.id, build.id],
        [email, PHONE, mine.id, build.id],
      ]
    )
    assert.deepEqual([body.data[0].version, body.data[0].buildNumber], ['4.2.0', '4711'])
    const [{ installedAt, ...tester }] = await shown()
    assert.deepEqual(tester, { id: testerId, email, device: PHONE })
    assert.equal(installedAt, body.data[1].downloadedAt)
    await db
      .from('build_downloads')
      .where('install_link_id', mine.id)
      .update({ downloaded_at: earlier(clock.now(), 3_600_001) })
    await download(mine.id, INSTALLER)
    const count = async (query: string) =>
      (await admin.get(`${path}/downloads?${query}`)).body.data.length
    assert.deepEqual(
      [
        await count('limit=50'),
        await count(`email=${email}`),
        await count(`buildDistroBuildId=${build.id}`),
        await count('buildDistroBuildId=build_0'),
        await count('email=nobody@acme.example'),
      ],
      [3, 2, 3, 0, 0]
    )
    const first = await admin.get(`${path}/downloads?limit=2`)
    const [, next] = /<(.*)>/.exec(first.headers.link)!
    assert.lengthOf((await admin.get(next)).body.data, 1)
    // A download remains when its link is deleted, but not when its build is.
    await admin.delete(`${path}/installLink/${mine.id}`)
    assert.equal(await count('limit=50'), 3)
    await admin.delete(`${path}/build/${build.id}`)
    assert.equal(await count('limit=50'), 0)
  })

  test('records a download with a key when it begins, at most once an hour', async ({ assert }) => {
    const { world, admin, path, add } = await makeInstallable()
    const ci = await world.keyed({ name: 'Device farm', groups: ['QA'] })
    const build = await add(ipaFor())
    const at = `${path}/build/${build.id}/download`
    const shown = async () =>
      (await admin.get(`${path}/downloads`)).body.data.map(
        ({ apiKey, tester, installLinkId, device }: any) => [
          apiKey.name,
          tester,
          installLinkId,
          device,
        ]
      )
    const agent = { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)' }
    const { headers } = await ci.head(at, { headers: agent })
    const requested = [
      { range: 'bytes=5-9' },
      { range: 'bytes=-5' },
      { range: 'bytes=99999999-' },
      { 'if-none-match': headers.etag },
      { 'range': 'bytes=5-', 'if-range': headers.etag },
    ]
    for (const more of requested) await ci.get(at, { headers: { ...agent, ...more } as never })
    assert.isEmpty(await shown(), 'none of these begins a download')
    const { status, text } = await ci.get(at, {
      headers: { ...agent, 'range': 'bytes=5-', 'if-range': '"another"' },
    })
    assert.deepEqual([status, text.length > 5], [200, true])
    await ci.get(at, { headers: agent })
    await ci.get(at, { headers: { ...agent, range: 'bytes=0-9' } })
    assert.deepEqual(await shown(), [['Device farm', null, null, 'Windows']])
    await ci.get(`${at}?artifactFileName=none.txt`, { headers: agent })
    await admin.get(at, { headers: { 'user-agent': 'curl/8.5.0' } })
    assert.deepEqual(await shown(), [
      ['admin', null, null, null],
      ['Device farm', null, null, 'Windows'],
    ])
    await db
      .from('build_downloads')
      .where('device', 'Windows')
      .update({ downloaded_at: earlier(clock.now(), 3_600_001) })
    await ci.get(at, { headers: agent })
    assert.deepEqual(
      (await shown()).map(([name]: any) => name),
      ['Device farm', 'admin', 'Device farm']
    )
    assert.isEmpty((await admin.get(`${path}/build/${build.id}`)).body.testers)
    assert.isEmpty((await admin.get(`${path}/downloads?email=ada@acme.example`)).body.data)
  })

  test('downloads work even if they cannot be recorded', async ({ assert, cleanup }) => {
    const { admin, path, add, link } = await makeInstallable()
    const build = await add(ipaFor())
    const made = await link()
    const { inTransaction } = unitOfWork
    unitOfWork.inTransaction = () => Promise.reject(refuse('not_stored'))
    cleanup(() => void (unitOfWork.inTransaction = inTransaction))
    const token = writeTicket('package', { linkId: made.id, buildId: build.id }, clock.now())
    assert.equal((await admin.get(`${path}/build/${build.id}/download`)).status, 200)
    assert.equal((await visitor.get(`/install-package/${token}`)).status, 200)
    unitOfWork.inTransaction = () => Promise.reject(new Error('broken'))
    const broken = await admin.get(`${path}/build/${build.id}/download`)
    assert.deepEqual([broken.status, broken.body.code], [500, 'internal_error'])
    unitOfWork.inTransaction = inTransaction
    assert.isEmpty((await admin.get(`${path}/downloads`)).body.data)
  })

  test('403 below admin of the bucket', async ({ assert }) => {
    const members = [{ name: 'QA', permissionLevel: 'uploader' }]
    const { world, path } = await makeInstallable({ members })
    const qa = await world.keyed({ groups: ['QA'] })
    const response = await qa.get(`${path}/downloads`)
    assert.deepEqual([response.status, response.body.neededLevel], [403, 'admin'])
    assert.equal((await (await world.keyed()).get(`${path}/downloads`)).status, 403)
  })
})

test.group('The newest build', () => {
  test('is returned to a requester with a key, with whether it is newer', async ({ assert }) => {
    const { admin, path, add } = await makeInstallable()
    assert.equal((await admin.get(`${path}/latestBuild`)).status, 404)
    const first = await add(ipaOf('4.1.0', '9000'))
    const second = await add(ipaOf('4.2.0', '10'))
    const other = await add(ipaOf('1.0', '1', 'com.acme.other'))
    const latest = async (query: string) => {
      const { status, body } = await admin.get(`${path}/latestBuild?${query}`)
      return status === 200 ? [body.build.id, body.updateAvailable] : status
    }
    assert.deepEqual(await latest('version=0.1'), [other.id, true])
    assert.deepEqual(await latest('bundleId=com.acme.app'), [second.id, true])
    const own = 'bundleId=com.acme.app&buildNumber=9000'
    assert.deepEqual(await latest(own), [second.id, false])
    assert.deepEqual(await latest(`${own}&version=4.1.0`), [second.id, true])
    assert.equal(await latest('bundleId=com.acme.none'), 404)
    await admin.patch(`${path}/build/${second.id}`, { status: 'expired' })
    assert.deepEqual(await latest(`${own}&version=4.1.0`), [first.id, false])
  })

  test('is never one whose profile has expired', async ({ assert }) => {
    const { admin, path, add, link } = await makeInstallable()
    const { path: page } = await link()
    const lasting = await add(ipaOf('4.1.0', '1'))
    const ended = (version: string) =>
      writeIpa({
        profile: profileFor(-1),
        info: { ...INFO, CFBundleShortVersionString: version, CFBundleVersion: '2' },
      })
    await add(ended('4.2.0'))
    await add(ended('4.3.0'))
    const own = 'bundleId=com.acme.app&buildNumber=1&version=4.1.0'
    for (const query of ['version=4.1.0&buildNumber=1', own]) {
      const { body } = await admin.get(`${path}/latestBuild?${query}`)
      assert.deepEqual([body.build.id, body.updateAvailable], [lasting.id, false], query)
    }
    assert.isFalse((await visitor.get(`${page}/update?${own}`)).body.updateAvailable)
    await admin.delete(`${path}/build/${lasting.id}`)
    for (const at of [`${path}/latestBuild`, `${path}/latestBuild?${own}`]) {
      assert.equal((await admin.get(at)).status, 404, at)
    }
    assert.equal((await visitor.get(`${page}/update?${own}`)).status, 404)
  })

  test('is returned to an app that has a link, which never changes', async ({ assert }) => {
    const { add, link, admin, path, email } = await makeInstallable()
    const { path: page, ...made } = await link()
    const ask = (query: string) => visitor.get(`${page}/update?${query}`)
    assert.equal((await ask('bundleId=com.acme.app&buildNumber=1')).status, 404)
    const first = await add(ipaOf('4.2.0', '4711'))
    const { status, body } = await ask('bundleId=com.acme.app&buildNumber=4710&version=4.2.0')
    assert.equal(status, 200)
    assert.deepEqual(body, {
      updateAvailable: true,
      version: '4.2.0',
      buildNumber: '4711',
      testerNotes: null,
      createdAt: first.createdAt,
      url: `${made.url}/builds/${first.id}`,
    })
    assert.isFalse((await ask('bundleId=com.acme.app&buildNumber=4711')).body.updateAvailable)
    assert.equal((await ask('bundleId=com.acme.other&buildNumber=1')).status, 404)
    assert.equal((await ask('bundleId=com.acme.app')).status, 400)
    const single = await link({ email, buildDistroBuildId: first.id })
    const query = 'bundleId=com.acme.app&buildNumber=1'
    assert.equal((await visitor.get(`${single.path}/update?${query}`)).status, 404)
    await admin.delete(`${path}/installLink/${made.id}`)
    assert.deepEqual((await ask(query)).body.code, 'link_gone')
  })
})

test.group('The list of a tester', () => {
  test('shows the builds that can be installed, filtered, and marks those that were', async ({
    assert,
  }) => {
    const { add, link, admin, path, email } = await makeInstallable()
    const { path: page, id: linkId } = await link()
    assert.include((await visit(`${page}/builds`, WINDOWS)).text, 'There are no builds here yet.')
    const first = await add(ipaOf('4.1.0', '1'), 'Acme.ipa', { tags: ['<beta>'] })
    const second = await add(ipaOf('4.2.0', '2'), 'Acme.ipa', { testerNotes: 'Passkeys & more' })
    const expired = await add(ipaOf('4.3.0', '3'))
    await admin.patch(`${path}/build/${expired.id}`, { status: 'expired' })
    const shown = async (query: string) => {
      const { status, text } = await visit(`${page}/builds?${query}`, WINDOWS)
      assert.equal(status, 200)
      return [...text.matchAll(/<h2><a href="[^"]*\/builds\/(\w+)"/g)].map(([, id]) => id)
    }
    assert.deepEqual(await shown('branch='), [second.id, first.id])
    assert.deepEqual(await shown('q='), [second.id, first.id])
    assert.deepEqual(await shown('q=passkeys'), [second.id])
    assert.deepEqual(await shown('tag=%3Cbeta%3E'), [first.id])
    assert.deepEqual(await shown('q=nothing'), [])
    const { text } = await visit(`${page}/builds`, WINDOWS)
    assert.include(text, '&lt;beta&gt;')
    assert.include(text, 'Passkeys &amp; more')
    assert.notInclude(text, 'You installed it')
    const token = writeTicket('package', { linkId, buildId: first.id }, clock.now())
    await visitor.get(`/install-package/${token}`)
    assert.include((await visit(`${page}/builds`, WINDOWS)).text, 'You installed it on')
    const one = await visit(`${page}/builds/${first.id}`, WINDOWS)
    assert.include(one.text, '4.1.0 (1)')
    assert.include(one.text, 'All builds in')
    assert.equal((await visit(`${page}/builds/${expired.id}`, WINDOWS)).status, 410)
    assert.equal((await visit(`${page}/builds/build_0`, WINDOWS)).status, 404)
    const single = await link({ email, buildDistroBuildId: first.id })
    assert.equal((await visit(`${single.path}/builds`, WINDOWS)).status, 404)
    assert.equal((await visit(`${single.path}/builds/${second.id}`, WINDOWS)).status, 404)
    assert.notInclude((await visit(single.path, WINDOWS)).text, 'All builds in')
  })

  test('links to older builds, and keeps the filters', async ({ assert }) => {
    const { upload, link } = await makeInstallable()
    const { path: page } = await link()
    for (let index = 0; index < 27; index++) {
      await upload({ bytes: `build ${index}`, data: { tags: ['a&b'] } })
    }
    const { text } = await visit(`${page}/builds?tag=a%26b`, WINDOWS)
    const [, older] = /<a\s+class="button quiet"\s+href="([^"]*)"/.exec(text)!
    const rest = await visit(older.replaceAll('&amp;', '&'), WINDOWS)
    assert.lengthOf([...text.matchAll(/<h2>/g)], 25)
    assert.lengthOf([...rest.text.matchAll(/<h2>/g)], 2)
    assert.equal((await visit(`${page}/builds?cursor=x`, WINDOWS)).status, 400)
  })
})
