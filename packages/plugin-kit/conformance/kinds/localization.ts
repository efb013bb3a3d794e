import assert from 'node:assert/strict'
import type { LocalizationScenario } from '../../fake/scenario.js'
import type { Bench } from '../bench.js'
import { failsWith } from '../expecting.js'
import type { KindSuite } from './suite.js'

const TEXT = '{\r\n  "hello": "Grüße, 世界 ✓",\r\n  "nul": "\\u0000"\r\n}\r\n'
const FILE = { path: 'app/strings.json', locale: 'de-DE', text: TEXT, tag: 'main' }
const bytesOf = (text: string) => new TextEncoder().encode(text)
const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
const UPLOAD = { path: 'app/strings.json', locale: 'en-US', content: bytesOf(TEXT) }

const scenario = (): { localization: LocalizationScenario } => ({
  localization: {
    locales: [
      { locale: 'en-US', total: 120, translated: 120, reviewed: 120 },
      { locale: 'de-DE', total: 120, translated: 90, reviewed: 60 },
      { locale: 'ja', total: 120, translated: 0, reviewed: 0 },
    ],
    files: [FILE, { ...FILE, locale: 'ja', text: '{}' }],
    metadata: [{ locale: 'de-DE', title: 'Acme', whatsNew: 'Schneller ✓' }],
  },
})

const uploadsOf = (bench: Pick<Bench, 'fake'>) =>
  bench.fake.state().localization?.files.filter(({ locale }) => locale === 'en-US') ?? []

/** Locales, how far they are, and their files. */
export const localization: KindSuite<'localization'> = {
  kind: 'localization',
  scenario,
  read: (capability) => capability.listLocales(),
  change: {
    run: (capability, mutation) => capability.upload([UPLOAD], 'release-1.2.3', mutation),
    effects: (state) =>
      state.localization?.files.filter(({ locale }) => locale === 'en-US').length ?? 0,
  },
  tour: (capability, mutation) => [
    () => capability.listLocales(),
    () => capability.upload([UPLOAD], 'release-1.2.3', mutation()),
    () => capability.download(['de-DE']),
    () => capability.getStoreMetadata?.(),
  ],
  rules: [
    {
      id: 'C1',
      title: 'a locale says how many of its texts are translated, in numbers and not in percent',
      async run(_bench, capability) {
        const locales = await capability.listLocales()
        const told = locales.map(({ locale, translated, total }) => [locale, translated, total])
        const expected = [
          ['de-DE', 90, 120],
          ['en-US', 120, 120],
          ['ja', 0, 120],
        ]
        assert.deepEqual(told.sort(), expected)
        const german = locales.find(({ locale }) => locale === 'de-DE')
        assert.ok(german?.reviewed === undefined || german.reviewed === 60)
      },
    },
    {
      id: 'C2',
      title: 'a file is sent as it is, with its place and tag',
      async run(bench, capability) {
        await capability.upload([UPLOAD], 'release-1.2.3', bench.mutation())
        const [{ path, text, tag }] = uploadsOf(bench)
        assert.deepEqual(
          { path, text, tag },
          { path: UPLOAD.path, text: TEXT, tag: 'release-1.2.3' }
        )
      },
    },
    {
      id: 'C3',
      title: 'the files of the locales that are asked for come, and no others',
      async run(_bench, capability) {
        const files = await capability.download(['de-DE'])
        assert.deepEqual(
          files.map(({ locale, path }) => [locale, path]),
          [['de-DE', FILE.path]]
        )
      },
    },
    {
      id: 'C4',
      title: 'a file comes byte for byte',
      async run(_bench, capability) {
        const files = await capability.download(['de-DE'])
        assert.equal(textOf(files[0].content), TEXT)
      },
    },
    {
      id: 'C5',
      title: 'a locale that the project does not have is told of as such, when it is sent',
      async run(bench, capability) {
        const file = { ...UPLOAD, locale: 'xx-XX' }
        await failsWith(capability.upload([file], 'main', bench.mutation()), 'notFound', 'invalid')
      },
    },
    {
      id: 'C6',
      title: 'what stores are to show comes per locale',
      feature: 'getStoreMetadata',
      async run(_bench, capability) {
        const [first, ...more] = await capability.getStoreMetadata!()
        assert.deepEqual(more, [])
        const { locale, title, whatsNew } = first
        const expected = { locale: 'de-DE', title: 'Acme', whatsNew: 'Schneller ✓' }
        assert.deepEqual({ locale, title, whatsNew }, expected)
      },
    },
  ],
}
