import { test } from '@japa/runner'
import { parse } from 'plist'
import decodeQR from 'qr/decode.js'
import sharp from 'sharp'
import { newId } from '#foundation/core/ids'
import { earlier } from '#foundation/core/clock'
import { clock } from '#foundation/core/services'
import { INFO, writeAab, writeIpa } from '#app-archives/writing/sane_archives'
import { sha256 } from '../../tests/support.js'
import { pageToken, writeTicket } from '../install_tokens.js'
import {
  apk,
  beReachedByHttps,
  buttonOf,
  ipaFor,
  IPHONE,
  IPHONE_IN_SLACK,
  MAC,
  makeInstallable,
  pathOf,
  profileFor,
  PIXEL,
  PIXEL_IN_AN_APP,
  PUBLIC_URL,
  visit,
  visitor,
} from './support.js'

/** Returns the address of the manifest to which the button of a page leads. */
function manifestOf(page: string): string {
  const address = buttonOf(page)!
  const [, manifest] = /^itms-services:\/\/\?action=download-manifest&url=([^&]+)$/.exec(address)!
  return decodeURIComponent(manifest)
}

test.group('GET /install/{installToken}', () => {
  test('is one page without script, whose headers keep its address secret', async ({ assert }) => {
    beReachedByHttps()
    const { add, link } = await makeInstallable()
    await add(ipaFor(), 'Acme.ipa', { testerNotes: 'Log in with a <passkey>.' })
    const { status, text, headers } = await visit((await link()).path, IPHONE)
    assert.equal(status, 200)
    assert.equal(headers['content-type'], 'text/html; charset=utf-8')
    assert.match(headers['content-security-policy'], /^default-src 'none'; style-src 'sha256-/)
    assert.notMatch(headers['content-security-policy'], /unsafe|script-src/)
    assert.equal(headers['referrer-policy'], 'no-referrer')
    assert.equal(headers['cache-control'], 'private, no-store')
    assert.notMatch(text, /<script|javascript:| on\w+=| style="/i)
    assert.isBelow(Buffer.byteLength(text), 30_000)
    for (const shown of ['Acme', '4.2.0 (4711)', 'iOS 16.0 or later', '2 in its profile']) {
      assert.include(text, shown)
    }
    assert.include(text, 'Log in with a &lt;passkey&gt;.')
    const [, sheet] = /<style>([^<]*)<\/style>/.exec(text)!
    const digest = Buffer.from(sha256(sheet), 'hex').toString('base64')
    assert.include(headers['content-security-policy'], `'sha256-${digest}'`)
  })

  test('has iOS install by a manifest, whose addresses all work, over https', async ({
    assert,
  }) => {
    beReachedByHttps()
    const { add, link, testerId } = await makeInstallable()
    const bytes = ipaFor()
    await add(bytes)
    assert.isString(testerId)
    const page = await visit((await link()).path, IPHONE)
    const address = manifestOf(page.text)
    assert.isTrue(address.startsWith(`${PUBLIC_URL}/install-manifest/`))
    assert.notMatch(address, /[? ]/)
    const manifest = await visitor.get<string>(pathOf(address))
    assert.deepEqual(
      [manifest.status, manifest.headers['content-type']],
      [200, 'application/xml; charset=utf-8']
    )
    const [{ assets, metadata }] = (parse(manifest.text) as any).items
    assert.deepEqual(metadata, {
      'bundle-identifier': 'com.acme.app',
      'bundle-version': '4.2.0',
      'kind': 'software',
      'title': 'Acme',
    })
    assert.deepEqual(
      assets.map(({ kind }: any) => kind),
      ['software-package', 'display-image', 'full-size-image']
    )
    for (const { url } of assets) assert.match(url, /^https:\/\/[\w./-]+$/)
    const [file, small, large] = await Promise.all(
      assets.map(({ url }: any) => visitor.get(pathOf(url)))
    )
    assert.equal(file.headers.etag, `"${sha256(bytes)}"`)
    assert.equal(small.headers['content-type'], 'image/png')
    for (const each of [small, large]) assert.equal(each.status, 200)
  })

  test('gives Android the file with its real content type, whatever its name', async ({
    assert,
  }) => {
    const { add, link } = await makeInstallable()
    const bytes = apk()
    await add(bytes, 'artifact.zip')
    const page = await visit((await link()).path, PIXEL)
    assert.include(page.text, 'Android 8.0 or later')
    const path = pathOf(buttonOf(page.text)!)
    const file = await visitor.get(path)
    assert.deepEqual(
      [file.status, file.headers['content-type'], file.headers['content-length']],
      [200, 'application/vnd.android.package-archive', String(bytes.length)]
    )
    const part = await visitor.get(path, { headers: { range: 'bytes=2-5' } })
    assert.deepEqual(
      [part.status, part.headers['content-range']],
      [206, `bytes 2-5/${bytes.length}`]
    )
    const beyond = await visitor.get(path, { headers: { range: `bytes=${bytes.length}-` } })
    assert.equal(beyond.status, 416)
    assert.equal((await visitor.head(path)).headers['content-length'], String(bytes.length))
  })

  test('shows a QR code of its own address on a desktop, and offers the file', async ({
    assert,
  }) => {
    beReachedByHttps()
    const { add, link } = await makeInstallable()
    await add(ipaFor())
    const made = await link()
    const { text } = await visit(made.path, MAC)
    const [svg] = /<svg[^]*?<\/svg>/.exec(text)!
    const named = svg.replace('<svg ', '<svg xmlns="http://www.w3.org/2000/svg" ')
    const { data, info } = await sharp(Buffer.from(named), { density: 600 })
      .flatten({ background: '#fff' })
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    assert.equal(decodeQR({ width: info.width, height: info.height, data }), made.url)
    assert.match(buttonOf(text)!, /\/install-package\//)
    // An iPad that requests desktop pages identifies itself as a Mac.
    assert.include(text, 'On an iPad?')
  })

  test('leads from the browser of an app, which cannot install, to a real one', async ({
    assert,
  }) => {
    beReachedByHttps()
    const { add, link } = await makeInstallable()
    await add(ipaFor())
    const made = await link()
    const apple = await visit(made.path, IPHONE_IN_SLACK)
    assert.equal(buttonOf(apple.text), `x-safari-${made.url}`)
    assert.include(apple.text, 'open inside Slack')
    assert.include(apple.text, `>${made.url}</code>`)
    await add(apk())
    const android = await visit(made.path, PIXEL_IN_AN_APP)
    assert.match(
      buttonOf(android.text)!,
      /^intent:\/\/tarmac\.acme\.example\/install\/.*scheme=https/
    )
  })

  test('says why an .aab or an unknown file cannot be installed, and offers the file', async ({
    assert,
  }) => {
    const { add, link, email } = await makeInstallable()
    for (const [bytes, said] of [
      [writeAab(), 'Android App Bundle'],
      ['no archive', 'It is no zip archive, or it is cut off.'],
    ] as const) {
      const build = await add(bytes as Buffer)
      const { path } = await link({ email, buildDistroBuildId: build.id })
      const { status, text } = await visit(path, PIXEL)
      assert.equal(status, 200)
      assert.include(text, said)
      const file = await visitor.get(pathOf(buttonOf(text)!))
      assert.deepEqual(
        [file.status, file.headers['content-type']],
        [200, 'application/octet-stream']
      )
    }
  })

  test('says that iOS needs https if the service has none', async ({ assert }) => {
    const { add, link } = await makeInstallable()
    await add(ipaFor())
    const { text } = await visit((await link()).path, IPHONE)
    assert.include(text, 'not open over https')
    assert.isNull(buttonOf(text))
    assert.notInclude(text, 'itms-services')
  })

  test('offers to reload while the build is not read yet', async ({ assert }) => {
    const { upload, read, link, admin, path } = await makeInstallable()
    const { body } = await upload({ bytes: apk() })
    const made = await link()
    const { text } = await visit(made.path, PIXEL)
    assert.include(text, 'being read')
    assert.equal(buttonOf(text), made.url)
    await read()
    assert.match(buttonOf((await visit(made.path, PIXEL)).text)!, /install-package/)
    assert.equal((await admin.get(`${path}/build/${body.id}`)).body.metadataStatus, 'read')
  })

  test('warns 14 days before the profile ends, and is 410 after', async ({ assert }) => {
    beReachedByHttps()
    const { add, link, email } = await makeInstallable()
    const pageOf = async (days: number) => {
      const build = await add(ipaFor(days, { Name: `for ${days}` }))
      return visit((await link({ email, buildDistroBuildId: build.id })).path, IPHONE)
    }
    assert.notInclude((await pageOf(15)).text, 'class="warn"')
    assert.include((await pageOf(13.5)).text, 'Expires in 13 days.')
    const over = await pageOf(-1)
    assert.equal(over.status, 410)
    assert.include(over.text, 'provisioning profile of this build has expired')
    assert.isNull(buttonOf(over.text))
  })

  test('always shows the newest build, by a link to a bucket', async ({ assert }) => {
    const { add, link, admin, path, bucket } = await makeInstallable()
    const made = await link()
    const empty = await visit(made.path, PIXEL)
    assert.deepEqual([empty.status, empty.text.includes(bucket.name)], [200, true])
    await add(apk(), 'first.apk', { testerNotes: 'the first' })
    const second = await add(apk(), 'second.apk', { testerNotes: 'the second' })
    assert.include((await visit(made.path, PIXEL)).text, 'the second')
    await admin.patch(`${path}/build/${second.id}`, { status: 'expired' })
    assert.include((await visit(made.path, PIXEL)).text, 'the first')
  })

  test('shows the newest build whose profile has not expired, or else says that all have', async ({
    assert,
  }) => {
    beReachedByHttps()
    const { add, link } = await makeInstallable()
    const made = await link()
    await add(ipaFor(30), 'lasting.ipa', { testerNotes: 'it lasts' })
    const over = await add(ipaFor(-1), 'over.ipa', { testerNotes: 'it is over' })
    const page = await visit(made.path, IPHONE)
    assert.equal(page.status, 200)
    assert.include(page.text, 'it lasts')
    assert.match(buttonOf(page.text)!, /^itms-services:/)
    const list = (await visit(`${made.path}/builds`, IPHONE)).text
    assert.lengthOf(list.match(/provisioning profile has expired/g)!, 1)
    assert.isAbove(list.indexOf('it lasts'), list.indexOf('provisioning profile has expired'))
    const one = await visit(`${made.path}/builds/${over.id}`, IPHONE)
    assert.deepEqual([one.status, buttonOf(one.text)], [410, null])

    const other = await makeInstallable()
    const only = await other.link()
    await other.add(ipaFor(-2), 'older.ipa', { testerNotes: 'the older' })
    await other.add(ipaFor(-1), 'newer.ipa', { testerNotes: 'the newer' })
    const ended = await visit(only.path, IPHONE)
    assert.equal(ended.status, 410)
    assert.include(ended.text, 'the newer')
    assert.include(ended.text, 'provisioning profile of this build has expired')
  })

  test('404 as a page for an unknown link, 410 for a former one', async ({ assert }) => {
    const unknown = await visit(`/install/${'x'.repeat(42)}`, IPHONE)
    assert.deepEqual(
      [unknown.status, unknown.headers['content-type']],
      [404, 'text/html; charset=utf-8']
    )
    assert.equal((await visit('/install/%F0%9F%98%80', IPHONE)).status, 404)
    assert.equal((await visit(`/install/${pageToken(newId('link'))}`, IPHONE)).status, 410)
  })
})

test.group('Requests with a ticket', () => {
  test('404 for unknown tickets, 410 for expired ones and those of withdrawn links', async ({
    assert,
  }) => {
    const { add, link, admin, path } = await makeInstallable()
    const build = await add(ipaFor())
    const made = await link()
    const place = { linkId: made.id, buildId: build.id }
    const places = {
      manifest: 'install-manifest',
      package: 'install-package',
      largeIcon: 'install-icon',
    } as const
    const statuses = (hoursAgo: number) =>
      Promise.all(
        Object.entries(places).map(async ([use, at]) => {
          const requested = earlier(clock.now(), hoursAgo * 3_600_000)
          const token = writeTicket(use as keyof typeof places, place, requested)
          return (await visitor.get(`/${at}/${token}`)).status
        })
      )
    for (const at of Object.values(places)) {
      assert.equal(
        (await visitor.get(`/${at}/${writeTicket('smallIcon', place, clock.now()).slice(1)}x`))
          .status,
        404
      )
    }
    assert.deepEqual(await statuses(0.9), [200, 200, 200])
    assert.deepEqual(await statuses(1.1), [410, 200, 200])
    assert.deepEqual(await statuses(6.1), [410, 410, 410])
    await admin.delete(`${path}/installLink/${made.id}`)
    assert.deepEqual(await statuses(0), [410, 410, 410])
  })

  test('409 once the build or its profile has expired; 404 for the manifest of a build that is no .ipa', async ({
    assert,
  }) => {
    const { add, link, admin, path } = await makeInstallable()
    const made = await link()
    const ask = async (use: 'manifest' | 'package', buildId: string) => {
      const token = writeTicket(use, { linkId: made.id, buildId }, clock.now())
      const { status, body } = await visitor.get(`/install-${use}/${token}`)
      return status < 400 ? status : body.code
    }
    const expired = await add(ipaFor(100))
    await admin.patch(`${path}/build/${expired.id}`, { status: 'expired' })
    const outdated = await add(ipaFor(-1))
    const file = await add(apk())
    assert.deepEqual(
      [await ask('manifest', expired.id), await ask('package', expired.id)],
      ['file_gone', 'file_gone']
    )
    assert.deepEqual(
      [await ask('manifest', outdated.id), await ask('package', outdated.id)],
      ['file_gone', 'file_gone']
    )
    assert.deepEqual(
      [await ask('manifest', file.id), await ask('package', file.id)],
      ['not_found', 200]
    )
    assert.equal(await ask('package', newId('build')), 'not_found')
  })

  test('icons are square PNGs, by default a plain one', async ({ assert }) => {
    const { add, link } = await makeInstallable()
    const { id: linkId } = await link()
    const sideOf = async (use: 'smallIcon' | 'largeIcon', buildId: string) => {
      const token = writeTicket(use, { linkId, buildId }, clock.now())
      const response = await visitor.get(`/install-icon/${token}`)
      assert.equal(response.headers['content-type'], 'image/png')
      const bytes = await fetch(`http://127.0.0.1:${process.env.PORT}/install-icon/${token}`)
      const { format, width, height } = await sharp(await bytes.arrayBuffer()).metadata()
      return [format, width, height]
    }
    for (const bytes of [writeIpa(), 'no archive']) {
      const build = await add(bytes)
      assert.deepEqual(await sideOf('smallIcon', build.id), ['png', 57, 57])
      assert.deepEqual(await sideOf('largeIcon', build.id), ['png', 512, 512])
    }
  })
})

test.group('A link to the newest build', () => {
  test('shows the newest that the device can install, or else that some phone can install', async ({
    assert,
  }) => {
    beReachedByHttps()
    const { add, link, admin, path } = await makeInstallable()
    const { path: page } = await link()
    const shown = async (agent: string) => {
      const { text } = await visit(page, agent)
      return /<h1>[^<]*<\/h1>[^]*?(4\.\d\.\d)/.exec(text)?.[1] ?? 'no version'
    }
    const version = (wanted: string) =>
      writeIpa({ profile: profileFor(100), info: { ...INFO, CFBundleShortVersionString: wanted } })
    const notes = await add('What is new', 'notes.txt')
    assert.equal((await admin.get(`${path}/latestBuild`)).body.build.id, notes.id)
    const ios = await add(version('4.1.0'))
    assert.equal(await shown(PIXEL), '4.1.0')
    const android = await add(apk())
    await add(writeAab(), 'Acme.aab')
    await add('What is new', 'notes.txt')
    assert.equal(await shown(IPHONE), '4.1.0')
    assert.include((await visit(page, PIXEL)).text, android.metadata.version)
    // On a computer, the page shows the newest build for phones.
    assert.include((await visit(page, MAC)).text, android.metadata.version)
    assert.equal((await admin.get(`${path}/latestBuild`)).body.build.id, android.id)
    await admin.patch(`${path}/build/${android.id}`, { status: 'expired' })
    assert.equal((await admin.get(`${path}/latestBuild`)).body.build.id, ios.id)
    assert.equal(await shown(MAC), '4.1.0')
  })
})
