export { makeApp } from './apps.js'
export { GitHubFake } from './github_fake.js'
export { sampleScenario } from './sample_scenario.js'
export { FakeLimits } from './limits.js'
