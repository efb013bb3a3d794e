import assert from 'node:assert/strict'
import type { LocalizationScenario } from '../../fake/scenario.js'
import type { KindSuite } from './suite.js'

const scenario = (): { localization: LocalizationScenario } => ({
  localization: {
    locales: [
      { locale: 'en-US', total: 120, translated: 120, reviewed: 120 },
      { locale: 'de-DE', total: 120, translated: 90, reviewed: 60 },
      { locale: 'ja', total: 120, translated: 0, reviewed: 0 },
    ],
  },
})

/** Locales, and how far they are. */
export const localization: KindSuite<'localization'> = {
  kind: 'localization',
  scenario,
  read: (capability) => capability.listLocales(),
  tour: (capability) => [() => capability.listLocales()],
  rules: [
    {
      id: 'C1',
      title: 'a locale says how many of its texts are translated, in numbers and not in percent',
      async run(_bench, capability) {
        const locales = await capability.listLocales()
        const reported = locales.map(({ locale, translated, total }) => [locale, translated, total])
        const expected = [
          ['de-DE', 90, 120],
          ['en-US', 120, 120],
          ['ja', 0, 120],
        ]
        assert.deepEqual(reported.sort(), expected)
        const german = locales.find(({ locale }) => locale === 'de-DE')
        assert.ok(german?.reviewed === undefined || german.reviewed === 60)
      },
    },
  ],
}
