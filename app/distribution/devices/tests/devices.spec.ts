import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import config from '@adonisjs/core/services/config'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { parse } from 'plist'
import { newId } from '#foundation/core/ids'
import { earlier } from '#foundation/core/clock'
import { clock } from '#foundation/core/services'
import { homePath } from '#start/home'
import { plistText } from '#app-archives/writing/sane_archives'
import { writeCertificate } from '#app-archives/writing/write_signatures'
import { writeChallenge } from '../../install_pages/install_tokens.js'
import {
  beReachedByHttps,
  buttonOf,
  ipaFor,
  IPHONE,
  MAC,
  makeInstallable,
  PUBLIC_URL,
  visit,
  visitor,
} from '../../install_pages/tests/support.js'
import { ANSWER_TYPE, answerTo, signed, UDID, type SignedParts } from './support.js'

const send = (path: string, raw: Buffer, contentType = ANSWER_TYPE) =>
  visitor.send<any>('POST', `${path}/device`, { raw, headers: { 'content-type': contentType } })

test.group('The page to register a device', () => {
  test('offers a profile by which a device reports itself, and which installs nothing', async ({
    assert,
  }) => {
    beReachedByHttps()
    const { link } = await makeInstallable()
    const made = await link()
    const page = await visit(`${made.path}/device`, IPHONE)
    assert.equal(buttonOf(page.text), `${made.path}/device/profile`)
    const profile = await visitor.get<string>(`${made.path}/device/profile`)
    assert.equal(profile.status, 200)
    assert.equal(profile.headers['content-type'], 'application/x-apple-aspen-config')
    const requested = parse(profile.text) as any
    assert.equal(requested.PayloadType, 'Profile Service')
    assert.equal(requested.PayloadContent.URL, `${PUBLIC_URL}${made.path}/device`)
    assert.deepEqual(requested.PayloadContent.DeviceAttributes, ['UDID', 'PRODUCT', 'VERSION'])
    assert.match(
      requested.PayloadUUID,
      /^[0-9A-F]{8}-[0-9A-F]{4}-4[0-9A-F]{3}-8[0-9A-F]{3}-[0-9A-F]{12}$/
    )
    const result = answerTo(made.id, { CHALLENGE: requested.PayloadContent.Challenge })
    const { status, headers } = await send(made.path, result)
    assert.deepEqual(
      [status, headers.location],
      [301, `${PUBLIC_URL}${made.path}/device?registered=true`]
    )
    const done = await visit(`${made.path}/device?registered=true`, IPHONE)
    assert.include(done.text, 'This device is registered')
  })

  test('shows a QR code on a desktop, needs https, and shows 404 and 410 as a page', async ({
    assert,
  }) => {
    const { link, admin, path, add } = await makeInstallable()
    const made = await link()
    assert.include((await visit(`${made.path}/device`, MAC)).text, '<svg')
    assert.include((await visit(`${made.path}/device`, IPHONE)).text, 'not open over https')
    await add(ipaFor())
    beReachedByHttps()
    assert.include((await visit(made.path, IPHONE)).text, `href="${made.path}/device"`)
    await admin.delete(`${path}/installLink/${made.id}`)
    assert.equal((await visit(`${made.path}/device`, IPHONE)).status, 410)
    assert.equal((await visitor.get(`${made.path}/device/profile`)).status, 410)
    assert.equal((await visit(`/install/${'x'.repeat(42)}/device`, IPHONE)).status, 404)
  })
})

/** Has the service trust authorities, by their certificates. */
async function trust(...certificates: Buffer[]): Promise<void> {
  const pem = certificates.map(
    (each) => `-----BEGIN CERTIFICATE-----\n${each.toString('base64')}\n-----END CERTIFICATE-----\n`
  )
  const file = homePath('authorities.pem')
  await writeFile(file, pem.join(''))
  config.set('devices.authoritiesFile', file)
}

test.group('The answer of a device', (group) => {
  group.each.teardown(() => config.set('devices.authoritiesFile', null))

  test('is stored once per bucket, for its admins', async ({ assert }) => {
    await trust(writeCertificate('Apple iPhone Device CA'))
    const { world, admin, path, link, email, testerId } = await makeInstallable({
      publicLinkEnabled: true,
    })
    const made = await link({})
    assert.equal((await send(made.path, answerTo(made.id))).status, 301)
    const [first] = (await admin.get(`${path}/devices`)).body.data
    assert.containsSubset(first, {
      udid: UDID,
      product: 'iPhone15,2',
      systemBuild: '22G86',
      tester: null,
      isVerified: true,
      certificateIssuer: 'Apple iPhone Device CA',
    })
    const mine = await link()
    const reported = { UDID: UDID.toLowerCase(), VERSION: '23A100' }
    assert.equal((await send(mine.path, answerTo(mine.id, reported))).status, 301)
    await send(mine.path, answerTo(mine.id, { UDID: 'AB'.repeat(20), PRODUCT: 'iPad8,1' }))
    const { data } = (await admin.get(`${path}/devices?limit=1`)).body
    assert.deepEqual([data[0].udid, data[0].tester.email], ['ab'.repeat(20), email])
    const next = (await admin.get(`${path}/devices?limit=1`)).body.pagination.nextCursor
    const [again] = (await admin.get(`${path}/devices?limit=1&cursor=${next}`)).body.data
    assert.deepEqual(
      [again.id, again.systemBuild, again.tester.id, again.registeredAt],
      [first.id, '23A100', testerId, first.registeredAt]
    )
    const qa = await world.keyed({ groups: ['QA'] })
    assert.equal((await qa.get(`${path}/devices`)).status, 403)
  })

  test('is verified only if a trusted authority issued the certificate', async ({ assert }) => {
    const { admin, path, link } = await makeInstallable()
    const { path: page, id } = await link()
    const isVerified = async () => {
      assert.equal((await send(page, answerTo(id))).status, 301)
      const [device] = (await admin.get(`${path}/devices`)).body.data
      return device.isVerified
    }
    assert.isFalse(await isVerified())
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    await trust(writeCertificate('Apple iPhone Device CA', 2, { privateKey, publicKey }))
    assert.isFalse(await isVerified())
    await trust(writeCertificate('Other CA'), writeCertificate('Apple iPhone Device CA'))
    assert.isTrue(await isVerified())
    config.set('devices.authoritiesFile', homePath('no-such-file.pem'))
    assert.isFalse(await isVerified())
  })

  test('is accepted with all kinds of signatures that devices make', async ({ assert }) => {
    await trust(writeCertificate('Apple iPhone Device CA'))
    const { admin, path, link } = await makeInstallable()
    const { path: page, id } = await link()
    for (const parts of [{}, { hasAttributes: false }, { digest: 'sha1' }, { digest: 'md5' }]) {
      assert.equal((await send(page, answerTo(id, {}, parts as SignedParts))).status, 301)
      const [device] = (await admin.get(`${path}/devices`)).body.data
      // An obsolete digest proves nothing.
      assert.equal(device.isVerified, (parts as SignedParts).digest !== 'md5')
    }
  })

  test('422 for an answer that was changed, or that is none', async ({ assert }) => {
    const { world, link } = await makeInstallable()
    const { path: page, id } = await link()
    const other = Buffer.from('other')
    const whole = answerTo(id)
    const flipped = Buffer.from(whole)
    const at = whole.indexOf(UDID)
    flipped[at] = '1'.charCodeAt(0)
    for (const [what, bytes] of Object.entries({
      'another content': answerTo(id, {}, { digested: other }),
      'another content, without attributes': answerTo(
        id,
        {},
        { digested: other, hasAttributes: false }
      ),
      'another signature': answerTo(id, {}, { signature: randomBytes(70) }),
      'a changed byte': flipped,
      'no UDID': answerTo(id, { UDID: 'none' }),
      'no list': signed(Buffer.from('no list')),
      'cut off': whole.subarray(0, -40),
      'nothing': Buffer.alloc(0),
      'no signed data': Buffer.from('{"UDID": 1}'),
    })) {
      const { status, body } = await send(page, bytes)
      assert.deepEqual([status, body.code], [422, 'invalid_input'], what)
    }
    const rows = db.from('tester_devices').where('organization_id', world.organizationId)
    assert.isEmpty(await rows)
  })

  test('that is malformed writes nothing to the console', async ({ assert, cleanup }) => {
    const { link } = await makeInstallable()
    const { path: page } = await link()
    const logged: unknown[] = []
    const { error, warn } = console
    console.error = console.warn = (...lines) => void logged.push(...lines)
    cleanup(() => void Object.assign(console, { error, warn }))
    const text = plistText({ UDID }).toString().replace(UDID, '<no>')
    assert.equal((await send(page, signed(Buffer.from(text)))).status, 422)
    assert.isEmpty(logged)
  })

  test('410 for the challenge of another link, an old one or an unknown one; 413, 415', async ({
    assert,
  }) => {
    const { link } = await makeInstallable()
    const [{ path: page, id }, other] = [await link(), await link()]
    for (const challenge of [
      writeChallenge(other.id, clock.now()),
      writeChallenge(id, earlier(clock.now(), 3_601_000)),
      writeChallenge(newId('link'), clock.now()),
      'x',
      '',
    ]) {
      const { status, body } = await send(page, answerTo(id, { CHALLENGE: challenge }))
      assert.deepEqual([status, body.code], [410, 'link_gone'], challenge)
    }
    assert.equal((await send(page, Buffer.alloc(64 * 1024 + 1))).status, 413)
    assert.equal((await send(page, answerTo(id), 'application/json')).status, 415)
    assert.equal((await send(`/install/${'x'.repeat(42)}`, answerTo(id))).status, 404)
  })
})
