import { test } from '@japa/runner'
import { readArchive } from '../read_archive.js'
import { MIB, apkWith, changed, infoOf } from './support/hostile.js'
import { HOSTILE_ANDROID } from './support/hostile_android.js'
import { HOSTILE_APPLE, HOSTILE_PROFILES } from './support/hostile_apple.js'
import { HOSTILE_ZIPS } from './support/hostile_zips.js'
import {
  EXECUTABLE,
  ICON,
  ICON_FILE,
  INFO,
  LABEL,
  MANIFEST,
  PROFILE,
  apkEntries,
  plistBinary,
  plistText,
  writeAab,
  writeApk,
  writeIpa,
} from '../writing/sane_archives.js'
import { metadataOf, quieten, reasonOf, withFile } from './support/scratch.js'
import { writeProtobufXml } from '../writing/write_manifest.js'
import * as png from '../writing/write_png.js'
import { bytesField, field, textField } from '../writing/write_protobuf.js'
import { writeCms } from '../writing/write_signatures.js'
import { writeZip } from '../writing/write_zip.js'

test.group('Hostile archives', (group) => {
  group.setup(quieten)

  test('{name}: refused with a reason')
    .with([...HOSTILE_ZIPS, ...HOSTILE_ANDROID, ...HOSTILE_APPLE])
    .run(async ({ assert }, { bytes, reason }) => {
      assert.match(await reasonOf(bytes()), reason)
    })

  test('circular references lead nowhere, and affect only the name', async ({ assert }) => {
    const resources = [
      { id: LABEL, value: { reference: LABEL + 1 } },
      { id: LABEL + 1, value: { reference: LABEL } },
      { id: ICON, value: { reference: ICON } },
    ]
    for (const bytes of [writeApk({ resources }), writeAab({ resources })]) {
      const read = await metadataOf(bytes)
      assert.deepEqual([read.name, read.icon, read.version], [null, null, '4.2.0'])
    }
  })

  test('names that lead out of a folder are plain names', async ({ assert }) => {
    const more = ['../../etc/passwd', '/etc/passwd', 'C:\\x', 'a/../../b'].map((name) => ({
      name,
      content: 'x',
    }))
    const resources = [{ id: ICON, value: { text: '../../../../etc/hostname' } }]
    const read = await metadataOf(writeApk({ resources, more }))
    assert.deepEqual([read.bundleId, read.icon], ['com.acme.app', null])
  })

  test('names with special characters of regular expressions are plain names', async ({
    assert,
  }) => {
    const name = '(((((a+)+)+)+)+)+$[.*\\'
    const info = {
      ...INFO,
      CFBundleExecutable: name,
      CFBundleIcons: { CFBundlePrimaryIcon: { CFBundleIconFiles: [name] } },
    }
    const more = [
      { name: `Payload/Acme.app/${name}`, content: EXECUTABLE },
      { name: `Payload/${'a'.repeat(900)}/Info.plist`, content: 'x' },
    ]
    const read = await metadataOf(writeIpa({ info, more }))
    assert.deepEqual([read.bundleId, read.abis], ['com.acme.app', ['arm64']])
    const icon = 'res/(a+)+$.png'
    const apk = await metadataOf(writeApk({ resources: [{ id: ICON, value: { text: icon } }] }))
    assert.equal(apk.bundleId, 'com.acme.app')
  })

  test('{name} affects only the icon')
    .with([
      {
        name: 'an icon of 2^31 pixels a side',
        icon: () => png.file([png.header(2 ** 31 - 1, 2 ** 31 - 1)]),
        reason: 'The sides of the icon must have from 1 to 4096 pixels.',
      },
      {
        name: 'an icon of Xcode’s with more pixels than it says',
        icon: () => {
          const apple = png.writeApplePng(png.plainPicture(64))
          return changed(apple, (copy) => copy.writeUInt32BE(2, apple.indexOf('IHDR') + 4))
        },
        reason: 'The icon is damaged.',
      },
      {
        name: 'an icon of Xcode’s of a form nobody restores',
        icon: () => png.file([png.chunk('CgBI', Buffer.alloc(4)), png.header(8, 8, 16)]),
        reason: 'The icon is a PNG of a form that is not restored.',
      },
      {
        name: 'an icon of Xcode’s with 16 million pixels',
        icon: () => png.file([png.chunk('CgBI', Buffer.alloc(4)), png.header(4096, 4096)]),
        reason: 'The icon has more than 1048576 pixels.',
      },
      {
        name: 'an icon that is cut off',
        icon: () => png.writePng(png.plainPicture(8)).subarray(0, 40),
        reason: 'The icon is damaged.',
      },
      {
        name: 'an icon that is a script',
        icon: () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="x()"/>'),
        reason: 'The icon is drawn, not a picture.',
      },
    ])
    .run(async ({ assert }, { icon, reason }) => {
      const read = await metadataOf(writeIpa({ icon: icon() }))
      assert.deepEqual([read.bundleId, read.icon, read.iconFailure], ['com.acme.app', null, reason])
    })

  test('a duplicate, encrypted or too highly compressed icon affects only the icon', async ({
    assert,
  }) => {
    const twice = writeApk({ more: [{ name: ICON_FILE, content: 'other' }] })
    const secret = apkWith((entry) =>
      entry.name.endsWith('.png') ? { ...entry, flags: 1 } : entry
    )
    const bomb = writeApk({ icon: Buffer.alloc(4 * MIB) })
    for (const [bytes, pixels] of [
      [twice, true],
      [secret, false],
      [bomb, true],
    ] as const) {
      const read = await metadataOf(bytes)
      // The next smaller icon replaces it if it is readable.
      assert.equal(read.icon !== null, pixels)
    }
  })

  test('a million packages of resources are searched one by one', async ({ assert }) => {
    const one = field(2, field(1, Buffer.from([8, 0x7f])))
    const resources = Buffer.concat(Array.from({ length: 1_000_000 }, () => one))
    const read = await metadataOf(
      writeZip([
        { name: 'base/manifest/AndroidManifest.xml', content: writeProtobufXml(MANIFEST) },
        { name: 'base/resources.pb', content: resources, stored: true },
      ])
    )
    assert.deepEqual([read.bundleId, read.name], ['com.acme.app', null])
  })

  test('comments and CDATA sections are not tags', async ({ assert }) => {
    const info = plistText(INFO)
      .toString()
      .replace('<dict>', `<dict><!-- <a ${'x'.repeat(200)} <b> -->`)
      .replace('<string>Acme</string>', '<string><![CDATA[<Acme> & Co]]></string>')
    assert.equal((await metadataOf(infoOf(Buffer.from(info)))).name, '<Acme> & Co')
  })

  test('a hundred thousand attributes are searched', async ({ assert }) => {
    const attributes = Array.from({ length: 100_000 }, () => field(4, textField(2, 'x')))
    const child = field(1, textField(3, 'uses-permission'), ...attributes)
    const manifest = field(
      1,
      textField(3, 'manifest'),
      field(4, textField(2, 'package'), textField(3, 'com.acme.app')),
      bytesField(5, child)
    )
    const read = await metadataOf(writeAab({ manifest }))
    assert.deepEqual([read.bundleId, read.permissions], ['com.acme.app', []])
  })

  test('a directory of more than 64 MiB is not read', async ({ assert }) => {
    const comment = 'x'.repeat(65_000)
    const more = Array.from({ length: 1100 }, (_, each) => ({ name: `a/${each}`, comment }))
    assert.match(await reasonOf(writeZip([...apkEntries(), ...more])), /larger than 64 MiB/)
  })

  test('a missing file is an error, not a damaged archive', async ({ assert }) => {
    const path = await withFile(Buffer.alloc(0), async (each) => each)
    await assert.rejects(() => readArchive(path), /ENOENT/)
  })

  test('a property list with many values is read within the limits', async ({ assert }) => {
    const info = { ...INFO, Many: Array.from({ length: 10_000 }, (_, each) => `${each}`) }
    assert.equal((await metadataOf(infoOf(plistText(info)))).bundleId, 'com.acme.app')
    assert.equal((await metadataOf(infoOf(plistBinary(info)))).bundleId, 'com.acme.app')
    const profile = writeCms(plistText({ ...PROFILE, Entitlements: { large: 'x'.repeat(10_000) } }))
    assert.isNull((await metadataOf(writeIpa({ profile }))).profile?.entitlements)
  })

  test('a damaged profile affects nothing else', async ({ assert }) => {
    const whole = await metadataOf(writeIpa({ profile: PROFILE }))
    for (const profile of HOSTILE_PROFILES) {
      const { profileFailure, ...read } = await metadataOf(writeIpa({ profile }))
      assert.include(profileFailure, 'embedded.mobileprovision')
      assert.deepEqual({ ...read, profileFailure: null }, { ...whole, profile: null })
    }
  })
})
