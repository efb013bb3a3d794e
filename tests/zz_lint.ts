import spectralCore from '@stoplight/spectral-core'
import parsers from '@stoplight/spectral-parsers'
import rulesets from '@stoplight/spectral-rulesets'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { readFileSync } from 'node:fs'
const text = readFileSync('docs/openapi.json', 'utf8')
const spectral = new spectralCore.Spectral()
spectral.setRuleset({ extends: [rulesets.oas] } as never)
const r = await spectral.run(new spectralCore.Document(text, parsers.Json, 'openapi.json'))
console.log('spectral', r.length); for (const x of r.slice(0, 15)) console.log(x.code, x.path.join('/'), x.message)
const config = await createConfig({ extends: ['recommended-strict'] })
const p = await lintFromString({ source: text, absoluteRef: 'openapi.json', config })
console.log('redocly', p.length); for (const x of p.slice(0, 15)) console.log(x.ruleId, x.message, x.location?.[0]?.pointer)
