import { test } from '@japa/runner'
import {
  INFO,
  MANIFEST,
  apkEntries,
  ipaEntries,
  plistBinary,
  plistText,
  writeAab,
  writeApk,
  writeIpa,
} from '../writing/sane_archives.js'
import type { XmlElement } from '../writing/write_manifest.js'
import { field, textField } from '../writing/write_protobuf.js'
import { writeZip, type ZipEntry } from '../writing/write_zip.js'
import { contentsOf, metadataOf, quieten } from './support/scratch.js'

const inApp = (name: string, content: Buffer | string): ZipEntry => ({
  name: `Payload/Acme.app/${name}`,
  content,
  stored: true,
})
const framework = (name: string, info: object) =>
  inApp(`Frameworks/${name}.framework/Info.plist`, plistBinary(info))

const attribute = (text: string) => ({ text })
const filter: XmlElement = { name: 'intent-filter', children: [{ name: 'action' }] }

/** Makes a manifest with elements in its application, and a target API level. */
function manifestOf(children: XmlElement[], target = 35): XmlElement {
  const [, ...rest] = MANIFEST.children!
  return {
    ...MANIFEST,
    children: [
      { name: 'uses-sdk', attributes: { targetSdkVersion: { number: target } } },
      ...rest.slice(0, -1),
      { ...MANIFEST.children!.at(-1)!, children },
    ],
  }
}

function component(
  name: string,
  className: string,
  more: { exported?: boolean; permission?: string; children?: XmlElement[] } = {}
): XmlElement {
  const { exported, permission, children } = more
  return {
    name,
    attributes: {
      name: attribute(className),
      ...(exported === undefined ? {} : { exported: { flag: exported } }),
      ...(permission === undefined ? {} : { permission: attribute(permission) }),
    },
    children,
  }
}

const names = (found: { kind: string; name: string; version: string | null }[]) =>
  found.map(({ kind, name, version }) => `${kind} ${name} ${version}`)

test.group('The contents of an .ipa', (group) => {
  group.setup(quieten)

  test('include frameworks, bundles, extensions and dynamic libraries, with versions', async ({
    assert,
  }) => {
    const more = [
      framework('Alamofire', { CFBundleShortVersionString: '5.9.1', CFBundleVersion: '1' }),
      framework('Old', { CFBundleVersion: '12' }),
      framework('Broken', {}),
      inApp('Frameworks/Bad.framework/Info.plist', 'no list'),
      inApp('Frameworks/libswiftCore.dylib', 'code'),
      inApp('Kit_Kit.bundle/Info.plist', plistText({ CFBundleShortVersionString: '2.0' })),
      inApp('PlugIns/Share.appex/Info.plist', plistBinary({ CFBundleShortVersionString: '4.2.0' })),
      inApp('PlugIns/Share.appex/Frameworks/Alamofire.framework/Info.plist', plistBinary({})),
    ]
    const { components, omitted } = await contentsOf(writeIpa({ more }))
    assert.deepEqual(names(components), [
      'bundle Kit_Kit 2.0',
      'extension Share 4.2.0',
      'framework Alamofire 5.9.1',
      'framework Bad null',
      'framework Broken null',
      'framework Old 12',
      'framework libswiftCore null',
    ])
    assert.equal(omitted, 0)
  })

  test('count descriptions beyond the budget, and do not list them without a version', async ({
    assert,
  }) => {
    const filler = (index: number) => `${index}`.repeat(60_000).slice(0, 60_000)
    const more = Array.from({ length: 80 }, (_, index) =>
      framework(`F${index}`, { CFBundleVersion: '1', filler: filler(index) })
    )
    const { components, omitted } = await contentsOf(writeIpa({ more }))
    assert.isAbove(omitted, 0)
    assert.lengthOf(
      components.filter(({ version }) => version === null),
      omitted
    )
    const large = framework('Large', { CFBundleVersion: '1', filler: filler(1) + filler(2) })
    assert.equal((await contentsOf(writeIpa({ more: [large] }))).omitted, 1)
  })

  test('include the schemes by which other apps open it', async ({ assert }) => {
    const types = [
      { CFBundleURLSchemes: ['acme', 'acme-pay'] },
      { CFBundleURLSchemes: ['acme'] },
      {},
    ]
    const { exported } = await contentsOf(writeIpa({ info: { ...INFO, CFBundleURLTypes: types } }))
    assert.deepEqual(exported, [
      { type: 'urlScheme', name: 'acme', permission: null },
      { type: 'urlScheme', name: 'acme-pay', permission: null },
    ])
  })

  test('include compressed sizes by part, of files that devices get', async ({ assert }) => {
    const more = [
      inApp('Frameworks/A.framework/A', Buffer.alloc(500)),
      inApp('PlugIns/S.appex/S', Buffer.alloc(70)),
      inApp('Assets.car', Buffer.alloc(300)),
      inApp('film.mp4', Buffer.alloc(200)),
      inApp('_CodeSignature/CodeResources', Buffer.alloc(11)),
      {
        name: 'SwiftSupport/iphoneos/libswiftCore.dylib',
        content: Buffer.alloc(9000),
        stored: true,
      },
    ]
    const none = (await contentsOf(writeIpa({ profile: null }))).sizes
    const { sizes } = await contentsOf(writeIpa({ profile: null, more }))
    assert.deepEqual(sizes, {
      code: none.code,
      libraries: 500,
      extensions: 70,
      resources: none.resources + 300,
      assets: none.assets + 200,
      other: none.other + 11,
    })
    assert.equal(none.code, 24)
  })
})

test.group('The contents of an .apk', () => {
  test('include all components that Android exports', async ({ assert }) => {
    const said = (exported: XmlElement['attributes'], name: string): XmlElement => ({
      name: 'service',
      attributes: { name: attribute(name), ...exported },
    })
    const children = [
      said({ exported: { text: 'TRUE' } }, 'a.Upper'),
      said({ exported: { number: 1 } }, 'a.One'),
      said({ exported: { number: 0 } }, 'a.Zero'),
      said({ exported: { flag: true } }, `a.${'L'.repeat(300)}`),
      {
        name: 'provider',
        attributes: {
          name: attribute('a.Files'),
          exported: { flag: true },
          readPermission: attribute('acme.READ'),
        },
      },
    ]
    const manifest = manifestOf(children)
    const application = manifest.children!.at(-1)!
    application.attributes = { ...application.attributes, permission: attribute('acme.ALL') }
    const long = 'P'.repeat(300)
    manifest.children!.unshift({ name: 'uses-permission', attributes: { name: attribute(long) } })
    assert.include((await metadataOf(writeApk({ manifest }))).permissions, long.slice(0, 128))
    const { exported, omitted, omittedExported } = await contentsOf(writeApk({ manifest }))
    assert.deepEqual(
      exported.map(({ name, permission }) => [name.slice(0, 10), permission]),
      [
        ['a.Files', 'acme.READ to read, acme.ALL to write'],
        ['a.LLLLLLLL', 'acme.ALL'],
        ['a.One', 'acme.ALL'],
        ['a.Upper', 'acme.ALL'],
      ]
    )
    assert.deepEqual([omitted, omittedExported], [0, 1])
  })

  test('include a provider without a setting if the oldest system exports it and no target is stated', async ({
    assert,
  }) => {
    const given = (minSdkVersion?: number): XmlElement => {
      const manifest = manifestOf([component('provider', 'a.Files')])
      const attributes: XmlElement['attributes'] = minSdkVersion
        ? { minSdkVersion: { number: minSdkVersion } }
        : {}
      return {
        ...manifest,
        children: [{ name: 'uses-sdk', attributes }, ...manifest.children!.slice(1)],
      }
    }
    const found = [given(16), given(17), given()].map((manifest) =>
      contentsOf(writeApk({ manifest }))
    )
    const counts = (await Promise.all(found)).map(({ exported }) => exported.length)
    assert.deepEqual(counts, [1, 0, 1])
  })

  test('include the components that other apps can start, by Android’s rules', async ({
    assert,
  }) => {
    const children = [
      component('activity', '.Main', { children: [filter] }),
      component('activity', '.Inner'),
      component('activity-alias', 'Short', { exported: true }),
      component('activity', '.Closed', { exported: false, children: [filter] }),
      component('service', 'org.other.Sync', { exported: true, permission: 'acme.SYNC' }),
      component('receiver', '.Boot', { children: [filter] }),
      component('provider', '.Files'),
      component('meta-data', '.Nothing', { exported: true }),
    ]
    const expected = [
      { type: 'activity', name: 'com.acme.app.Main', permission: null },
      { type: 'activity', name: 'com.acme.app.Short', permission: null },
      { type: 'receiver', name: 'com.acme.app.Boot', permission: null },
      { type: 'service', name: 'org.other.Sync', permission: 'acme.SYNC' },
    ]
    for (const write of [writeApk, writeAab]) {
      const { exported } = await contentsOf(write({ manifest: manifestOf(children) }))
      assert.deepEqual(exported, expected)
    }
    const old = await contentsOf(writeApk({ manifest: manifestOf(children, 16) }))
    assert.deepInclude(old.exported, {
      type: 'provider',
      name: 'com.acme.app.Files',
      permission: null,
    })
  })

  test('include libraries by the files that they leave, and native ones', async ({ assert }) => {
    const more = [
      { name: 'META-INF/androidx.core_core-ktx.version', content: '1.13.1\n' },
      { name: 'META-INF/com.google.android.material_material.version', content: 'task prop' },
      {
        name: 'META-INF/maven/com.squareup/okio/pom.properties',
        content: '#Created\nversion=3.9.0\ngroupId=com.squareup\n',
      },
      { name: 'play-services-base.properties', content: 'version=18.5.0\nclient=x\n' },
      { name: 'other.properties', content: 'version=1\n' },
    ]
    const { components } = await contentsOf(writeApk({ more }))
    assert.deepEqual(names(components), [
      'library androidx.core:core-ktx 1.13.1',
      'library com.google.android.material:material task prop',
      'library com.squareup:okio 3.9.0',
      'library play-services-base 18.5.0',
      'native libacme.so null',
    ])
    const root = more.map((entry) => ({ ...entry, name: `base/root/${entry.name}` }))
    const maven = (group: string, artifact: string, version: string) =>
      field(1, field(1, textField(1, group), textField(2, artifact), textField(5, version)))
    const list = Buffer.concat([maven('io.ktor', 'ktor', '3.0.1'), field(1), maven('', '', '')])
    const dependencies = {
      name: 'BUNDLE-METADATA/com.android.tools.build.libraries/dependencies.pb',
      content: list,
    }
    const bundle = await contentsOf(writeAab({ more: [...root, dependencies] }))
    assert.deepEqual(
      names(bundle.components),
      [...names(components), 'library io.ktor:ktor 3.0.1'].sort()
    )
  })

  test('include sizes by part and architecture', async ({ assert }) => {
    const stored = (name: string, size: number) => ({
      name,
      content: Buffer.alloc(size),
      stored: true,
    })
    const before = await contentsOf(writeApk())
    const more = [
      stored('classes.dex', 100),
      stored('classes2.dex', 20),
      stored('lib/x86_64/libmore.so', 70),
      stored('assets/film.mp4', 300),
      stored('res/raw/a.bin', 5),
      stored('kotlin/x.kotlin_builtins', 3),
    ]
    const { sizes, abiSizes } = await contentsOf(writeApk({ more }))
    const grown = (part: keyof typeof sizes) => sizes[part] - before.sizes[part]
    assert.deepEqual(
      (['code', 'libraries', 'assets', 'resources', 'other'] as const).map(grown),
      [120, 70, 300, 5, 3]
    )
    const native = before.abiSizes[0].bytes
    assert.deepEqual(abiSizes, [
      { abi: 'arm64-v8a', bytes: native },
      { abi: 'x86_64', bytes: native + 70 },
    ])
  })
})

test.group('Hostile contents', (group) => {
  group.setup(quieten)

  test('are counted beyond the limits', async ({ assert }) => {
    const more = Array.from({ length: 3000 }, (_, each) =>
      inApp(`Frameworks/F${each}.framework/Info.plist`, 'x')
    )
    const { components, omitted } = await contentsOf(writeIpa({ more }))
    assert.deepEqual([components.length, omitted], [1000, 2000])
    const children = Array.from({ length: 6000 }, (_, each) =>
      component('activity', `.A${each}`, { exported: true })
    )
    const read = await contentsOf(writeAab({ manifest: manifestOf(children) }))
    assert.deepEqual([read.exported.length, read.omittedExported], [300, 5700])
  })

  test('have no version for bombs, links, duplicates and absurd versions', async ({ assert }) => {
    const bomb = {
      name: 'Payload/Acme.app/Frameworks/Bomb.framework/Info.plist',
      content: Buffer.alloc(60_000),
    }
    const link = { ...framework('Link', {}), mode: 0o120777 }
    const twice = framework('Twice', { CFBundleShortVersionString: '1' })
    const absurd = { CFBundleShortVersionString: '9'.repeat(5000) }
    const tall = `<plist><dict><key>a</key>${'<array>'.repeat(500)}${'</array>'.repeat(500)}</dict></plist>`
    const more = [
      bomb,
      link,
      twice,
      twice,
      framework('Absurd', absurd),
      framework('List', { CFBundleShortVersionString: ['1'] }),
      inApp('Frameworks/Tall.framework/Info.plist', tall),
    ]
    const { components } = await contentsOf(writeZip([...ipaEntries(), ...more]))
    assert.deepEqual(
      components.map(({ version }) => version),
      [null, null, null, null, null, null]
    )
  })

  test('are not affected by a damaged list of libraries or endless texts', async ({ assert }) => {
    const more = [
      {
        name: 'BUNDLE-METADATA/com.android.tools.build.libraries/dependencies.pb',
        content: Buffer.alloc(1000, 0x0b),
      },
      { name: 'base/root/META-INF/a_b.version', content: '\u202e1.0' + '\n'.repeat(300) },
      { name: `base/root/META-INF/maven/${'g'.repeat(500)}/a/pom.properties`, content: 'version=' },
      {
        name: 'base/root/META-INF/maven/g/a/pom.properties',
        content: 'version='.repeat(500) + ' '.repeat(4000),
      },
    ]
    const { components } = await contentsOf(writeAab({ more }))
    assert.deepEqual(names(components), [
      'library a:b 1.0',
      'library g:a null',
      'native libacme.so null',
    ])
  })

  test('have plain names, whatever these contain', async ({ assert }) => {
    const odd = ['(a+)+$', '../../etc', '__proto__', 'a'.repeat(500)]
    const more = odd.map((name) => inApp(`Frameworks/${name}.framework/Info.plist`, 'x'))
    const { components } = await contentsOf(writeIpa({ more }))
    assert.sameMembers(
      components.map(({ name }) => name),
      ['(a+)+$', 'etc', '__proto__']
    )
    const apk = await contentsOf(writeZip([...apkEntries(), { name: 'lib/__proto__/x.so' }]))
    assert.include(
      apk.abiSizes.map(({ abi }) => abi),
      '__proto__'
    )
  })
})
