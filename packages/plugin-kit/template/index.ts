export { configure } from './configure.js'
export { default } from './src/plugin.js'
