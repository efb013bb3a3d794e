/*
 * All that a plugin is made of. In this repository the files are imported one by one, as
 * `#plugin-kit/manifest`.
 */
export * from './answer_error.js'
export * from './capabilities/map.js'
export * from './capabilities/monitoring.js'
export * from './capabilities/source.js'
export * from './capabilities/stores.js'
export * from './capabilities/work.js'
export * from './check_manifest.js'
export * from './check_schema.js'
export * from './check_value.js'
export * from './context.js'
export * from './described_error.js'
export * from './http.js'
export * from './kinds.js'
export * from './known_errors.js'
export * from './make_http.js'
export * from './manifest.js'
export * from './plugin.js'
export * from './provider_error.js'
export * from './rate_reading.js'
export * from './schema.js'
