/** The placeholder of the version in a sample. Everything else must stay unchanged. */
export const HERE = '@@'

const PBXPROJ = `// !$*UTF8*$!
{
	objects = {
		/* MARKETING_VERSION = 9.9.9; */
		A1 /* Debug */ = {
			buildSettings = {
				CURRENT_PROJECT_VERSION = 41;
				MARKETING_VERSION = @@;
				PRODUCT_NAME = "MARKETING_VERSION = 8.8.8;";
				"OTHER \\" FLAGS" = "a // b";
			};
		};
		A2 /* Release */ = { buildSettings = { MARKETING_VERSION = "@@"; }; };
		A5 /* Mac */ = { buildSettings = { "MARKETING_VERSION[sdk=macosx*]" = @@; MARKETING_VERSION_OLD = 8.8.8; }; };
		A3 /* Tests */ = { buildSettings = { MARKETING_VERSION = 0.1; }; };
		A4 = { buildSettings = { MARKETING_VERSION = "$(APP_VERSION)"; path = ios/App; }; };
	};
}
`
const PLIST = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<!-- <key>CFBundleShortVersionString</key><string>9.9.9</string> -->
	<key>CFBundleName</key>
	<string>Ähm &amp; Söhne</string>
	<key>Nested</key>
	<dict><key>CFBundleShortVersionString</key><string>7.7.7</string></dict>
	<key>CFBundleShortVersionString</key>
	<string> @@ </string>
	<key>Flag</key><true/>
</dict>
</plist>
`
/** Samples of each kind of file, which contain the version only at the placeholders. */
export const SAMPLES: readonly (readonly [string, string])[] = [
  ['ios/App/Info.plist', PLIST],
  ['ios/App.xcodeproj/project.pbxproj', PBXPROJ],
  [
    'Config/Base.xcconfig',
    '// MARKETING_VERSION = 9.9.9\n#include "Other.xcconfig"\nMARKETING_VERSION = @@ // ours\nMARKETING_VERSION[sdk=macosx*] = @@\nMARKETING_VERSION_SUFFIX = 3\n',
  ],
  [
    'app/build.gradle',
    "// versionName '9.9.9'\nandroid {\n  defaultConfig {\n    versionCode 41\n    versionName '@@' /* versionName '8' */\n    versionNameSuffix '-dev'\n    resValue 'string', 'x', \"versionName \\\"7\\\"\"\n  }\n  productFlavors { old { versionName \"0.1\" } }\n}\n",
  ],
  [
    'app/build.gradle.kts',
    'android {\n  defaultConfig {\n    versionName = "@@"\n    val text = """versionName = "9.9.9" """\n  }\n}\n',
  ],
  [
    'library/build.gradle.kts',
    '/* outer /* versionName = "9.9.9" */ versionName = "8.8.8" */\nval path = """C:\\"""\nandroid {\n\tdefaultConfig {\n\t\tversionName("@@")\n\t}\n\tproductFlavors {\n\t\tcreate("paid") { versionName = "@@" }\n\t\tcreate("old") { versionName = "0.1" }\n\t}\n}\n',
  ],
  [
    'wear/build.gradle',
    'android {\n\tdefaultConfig {\n\t\tversionName = """@@"""\t// ours\n\t}\n}\n',
  ],
  [
    'Config/Tabs.xcconfig',
    '\tMARKETING_VERSION\t=\t@@\t\nMARKETING_VERSION[sdk=iphoneos*][arch=arm64]\t= @@\n',
  ],
  ['tabs/gradle.properties', '\tappVersionName\t:\t@@\nversionCode 41\n'],
  ['tabs/package.json', '{\r\n\t"version"\t:\t"@@"\r\n}'],
  [
    'gradle.properties',
    '# VERSION_NAME=9.9.9\nkotlin.version=2.1.0\norg.gradle.jvmargs=-Xmx4g \\\n  VERSION_NAME=8.8.8\nVERSION_NAME = @@\nVERSION_CODE=41\nversion=0.1\n',
  ],
  [
    'pubspec.yaml',
    'name: app\n# version: 9.9.9\ndescription: |\n  version: 8.8.8\nversion: @@+41 # ours\ndependencies:\n  http: ^1.2.0\n  version: 7.7.7\n',
  ],
  ['packages/app/pubspec.yml', "version: '@@'\n"],
  [
    'package.json',
    '{\n  "name": "version",\n  "dependencies": { "version": "9.9.9" },\n  "files": ["version", "8.8.8"],\n  "version": "@@",\n  "é\\"": 1\n}\n',
  ],
  ['app.json', '{ "version": "9.9.9", "expo": { "name": "x", "version" : "@@", "ios": {} } }'],
  ['mobile/app.json', '{"name": "x", "version": "@@"}'],
]
