import { createHash } from 'node:crypto'
import { test } from '@japa/runner'
import sharp from 'sharp'
import {
  DEBUG_CERTIFICATE,
  INFO,
  LABEL,
  MANIFEST,
  PROFILE,
  RELEASE_CERTIFICATE,
  apkEntries,
  ipaEntries,
  plistText,
  writeAab,
  writeApk,
  writeIpa,
} from '../writing/sane_archives.js'
import { metadataOf, reasonOf } from './support/scratch.js'
import { writeBinaryXml } from '../writing/write_manifest.js'
import { plainPicture, writeApplePng, writePng } from '../writing/write_png.js'
import { writeResourceTable } from '../writing/write_resources.js'
import { writeCertificate, writeCms, writeSigningBlock } from '../writing/write_signatures.js'
import { writeZip } from '../writing/write_zip.js'

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const pixelOf = async (picture: Buffer | null) => {
  const { data, info } = await sharp(picture!).raw().toBuffer({ resolveWithObject: true })
  return { width: info.width, first: [...data.subarray(0, info.channels)] }
}

test.group('An .ipa', () => {
  test('is read with its app, profile, architecture and icon', async ({ assert }) => {
    const { icon, ...metadata } = await metadataOf(writeIpa())
    assert.deepEqual(metadata, {
      format: 'ipa',
      platform: 'ios',
      bundleId: 'com.acme.app',
      name: 'Acme',
      version: '4.2.0',
      buildNumber: '4711',
      minimumOsVersion: '16.0',
      targetOsVersion: '18.2',
      abis: ['arm64'],
      permissions: ['NSCameraUsageDescription'],
      signing: null,
      profile: {
        name: 'Acme Ad Hoc',
        type: 'adHoc',
        teamId: 'ABCDE12345',
        teamName: 'Acme Inc.',
        expiresAt: '2027-02-14T11:43:00.000Z',
        certificateExpiresAt: '2046-01-01T00:00:00.000Z',
        deviceCount: 2,
        getTaskAllow: false,
        entitlements: PROFILE.Entitlements,
      },
      profileFailure: null,
      iconFailure: null,
    })
    assert.deepEqual(await pixelOf(icon), { width: 16, first: [37, 99, 235, 255] })
  })

  test('is read with a property list as text, and a profile with indefinite lengths', async ({
    assert,
  }) => {
    const profile = writeCms(plistText(PROFILE), { indefinite: true })
    const read = await metadataOf(writeIpa({ info: plistText(INFO), profile }))
    assert.deepEqual([read.bundleId, read.profile?.teamName], ['com.acme.app', 'Acme Inc.'])
  })

  test('{type}: the profile shows the kind of distribution')
    .with([
      { type: 'development', given: { Entitlements: { 'get-task-allow': true } }, devices: 2 },
      { type: 'adHoc', given: {}, devices: 2 },
      { type: 'enterprise', given: { ProvisionsAllDevices: true }, devices: null },
      { type: 'store', given: {}, devices: null },
    ])
    .run(async ({ assert }, { type, given, devices }) => {
      const { ProvisionedDevices, ...rest } = PROFILE
      const profile = { ...rest, ...(devices && { ProvisionedDevices }), ...given }
      const read = await metadataOf(writeIpa({ profile }))
      assert.deepEqual(
        [read.profile?.type, read.profile?.deviceCount, read.profile?.getTaskAllow],
        [type, devices, type === 'development']
      )
    })

  test('without a profile has none; without an icon says why', async ({ assert }) => {
    const { CFBundleIcons, ...info } = INFO
    const read = await metadataOf(writeIpa({ info, profile: null }))
    assert.isNull(read.profile)
    assert.isNull(read.icon)
    assert.equal(read.iconFailure, 'The archive holds no picture of its icon.')
  })

  test('{supported} is {platform}')
    .with([
      { supported: 'AppleTVOS', platform: 'tvos' },
      { supported: 'XROS', platform: 'visionos' },
      { supported: 'iPhoneOS', platform: 'ios' },
    ])
    .run(async ({ assert }, { supported, platform }) => {
      const info = { ...INFO, CFBundleSupportedPlatforms: [supported] }
      assert.equal((await metadataOf(writeIpa({ info }))).platform, platform)
    })

  test('a PNG of Xcode’s is restored, with its transparency', async ({ assert }) => {
    const picture = plainPicture(7, [200, 100, 50, 128])
    const { icon } = await metadataOf(writeIpa({ icon: writeApplePng(picture) }))
    const { data } = await sharp(icon!).raw().toBuffer({ resolveWithObject: true })
    for (const [at, datum] of data.entries()) {
      assert.approximately(datum, picture.pixels[at], 1)
    }
    const plain = writePng(picture)
    assert.deepEqual((await metadataOf(writeIpa({ icon: plain }))).icon, plain)
  })

  test('joined letters stay joined', async ({ assert }) => {
    const name = 'می\u200cخواهم 👩\u200d🚀'
    const read = await metadataOf(writeIpa({ info: { ...INFO, CFBundleDisplayName: name } }))
    assert.equal(read.name, name)
  })

  test('names of a thousand characters are cut, versions of that length are ignored', async ({
    assert,
  }) => {
    const info = {
      ...INFO,
      CFBundleDisplayName: 'é'.repeat(1000),
      CFBundleVersion: '1'.repeat(100),
      CFBundleShortVersionString: ' 4.2\u202e.0\n',
    }
    const read = await metadataOf(writeIpa({ info }))
    assert.deepEqual([read.name, read.buildNumber, read.version], ['é'.repeat(255), null, '4.2.0'])
  })
})

test.group('An .apk', () => {
  test('is read with its app, signature, architectures and icon', async ({ assert }) => {
    const { icon, ...metadata } = await metadataOf(writeApk())
    assert.deepEqual(metadata, {
      format: 'apk',
      platform: 'android',
      bundleId: 'com.acme.app',
      name: 'Acme',
      version: '4.2.0',
      buildNumber: '4711',
      minimumOsVersion: '26',
      targetOsVersion: '35',
      abis: ['arm64-v8a', 'x86_64'],
      permissions: ['android.permission.CAMERA', 'android.permission.INTERNET'],
      signing: {
        schemes: ['v2'],
        certificateSha256: sha256(RELEASE_CERTIFICATE),
        isDebugSigned: false,
      },
      profile: null,
      profileFailure: null,
      iconFailure: null,
    })
    assert.equal((await pixelOf(icon)).width, 12)
  })

  test('is read with any encoding of texts and any layout of tables', async ({ assert }) => {
    const { label, icon } = MANIFEST.children!.at(-1)!.attributes!
    assert.exists(label && icon)
    for (const encoding of ['utf8', 'utf16le'] as const) {
      for (const layout of ['plain', 'sparse', 'short', 'compact'] as const) {
        const manifest = writeBinaryXml(MANIFEST, { encoding })
        const values = [{ id: LABEL + 3, value: { text: 'Ümläut ☕' } }]
        const resources = writeResourceTable(
          [...values, { id: LABEL, value: { reference: LABEL + 3 } }],
          { encoding, layout }
        )
        const read = await metadataOf(writeApk({ manifest, resources }))
        assert.equal(read.name, 'Ümläut ☕', `${encoding} ${layout}`)
      }
    }
  })

  test('is read by the names of attributes if their ids are stripped', async ({ assert }) => {
    const manifest = writeBinaryXml(MANIFEST, { withoutIds: true })
    const read = await metadataOf(writeApk({ manifest }))
    assert.deepEqual([read.version, read.buildNumber, read.name], ['4.2.0', '4711', 'Acme'])
  })

  test('the newest signature counts; the debug key is recognized', async ({ assert }) => {
    const block = writeSigningBlock([
      { scheme: 'v2', certificate: RELEASE_CERTIFICATE },
      { scheme: 'v3', certificate: DEBUG_CERTIFICATE },
    ])
    const jar = writeCms(Buffer.from(''), {
      certificates: [writeCertificate('Chain', 7), RELEASE_CERTIFICATE],
    })
    const more = [{ name: 'META-INF/CERT.RSA', content: jar }]
    const all = await metadataOf(writeApk({ block, more }))
    assert.deepEqual(all.signing, {
      schemes: ['v1', 'v2', 'v3'],
      certificateSha256: sha256(DEBUG_CERTIFICATE),
      isDebugSigned: true,
    })
    const old = await metadataOf(writeZip(apkEntries({ more })))
    assert.deepEqual(old.signing, {
      schemes: ['v1'],
      certificateSha256: sha256(RELEASE_CERTIFICATE),
      isDebugSigned: false,
    })
    assert.isNull((await metadataOf(writeZip(apkEntries()))).signing)
  })

  test('{feature}, required {required}, is for {platform}')
    .with([
      { feature: 'android.hardware.type.watch', required: true, platform: 'wearos' },
      { feature: 'android.software.leanback', required: true, platform: 'androidtv' },
      { feature: 'android.software.leanback', required: false, platform: 'android' },
      { feature: 'constructor', required: true, platform: 'android' },
    ])
    .run(async ({ assert }, { feature, required, platform }) => {
      const attributes = { name: { text: feature }, required: { flag: required } }
      const children = [...MANIFEST.children!, { name: 'uses-feature', attributes }]
      const read = await metadataOf(writeApk({ manifest: { ...MANIFEST, children } }))
      assert.equal(read.platform, platform)
    })

  test('the major version code is the upper 32 bits of the build number', async ({ assert }) => {
    const attributes = { ...MANIFEST.attributes, versionCodeMajor: { number: 1 } }
    const read = await metadataOf(writeApk({ manifest: { ...MANIFEST, attributes } }))
    assert.equal(read.buildNumber, String(2 ** 32 + 4711))
  })

  test('a vector icon without a picture is ignored, with a reason', async ({ assert }) => {
    const drawn = [{ id: 0x7f020001, value: { text: 'res/ic.xml' } }]
    const read = await metadataOf(writeApk({ resources: drawn }))
    assert.deepEqual([read.icon, read.iconFailure], [null, 'The icon is drawn, not a picture.'])
  })

  test('a part of a split app is refused as such', async ({ assert }) => {
    const attributes = { ...MANIFEST.attributes, split: { text: 'config.de' } }
    assert.match(await reasonOf(writeApk({ manifest: { ...MANIFEST, attributes } })), /split APK/)
  })
})

test.group('An .aab', () => {
  test('is read from its base module', async ({ assert }) => {
    const { icon, ...metadata } = await metadataOf(writeAab())
    const { icon: other, ...apk } = await metadataOf(writeApk())
    assert.deepEqual(metadata, {
      ...apk,
      format: 'aab',
      abis: ['arm64-v8a'],
      signing: {
        schemes: ['v1'],
        certificateSha256: sha256(DEBUG_CERTIFICATE),
        isDebugSigned: true,
      },
    })
    assert.deepEqual(icon, other)
  })
})

test.group('The format of an archive', () => {
  test('follows from its contents', async ({ assert }) => {
    const none = 'It is no .ipa, .apk or .aab: it holds no manifest of an app.'
    assert.equal(await reasonOf(writeZip([{ name: 'readme.txt', content: 'x' }])), none)
    assert.equal(await reasonOf(writeZip([])), none)
    const several = 'The archive holds the manifests of several apps.'
    assert.equal(await reasonOf(writeZip([...apkEntries(), ...ipaEntries()])), several)
    const cut = 'It is no zip archive, or it is cut off.'
    for (const bytes of [Buffer.alloc(0), Buffer.from('the build'), writeApk().subarray(0, -30)]) {
      assert.equal(await reasonOf(bytes), cut)
    }
  })
})
