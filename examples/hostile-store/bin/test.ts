import { configure, processCLIArgs, run } from '@japa/runner'

processCLIArgs(process.argv.slice(2))
configure({ files: ['build/src/tests/*.spec.js'] })
void run()
