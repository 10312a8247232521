/**
 * The characters that titles, labels and choice options may be made of, by script: letters, marks and digits of the
 * Basic Multilingual Plane as of Unicode 14.0, without compatibility forms and invisible characters. The same table as
 * protocols/types/label-characters.json, and a part of the format: it never comes from the machine's own tables. Since
 * all of these were assigned in Unicode 14.0, normalising them gives the same answer in every later version.
 * Source: protocols/types.md, "Labels".
 */
export const REPERTOIRE: Readonly<Record<string, string>> = {
  Common: `
    20-40 5b-60 7b-7e a1-a3 a5 a7 ab b0-b1 b7 bb bf d7 f7 2013-2014 2018-2019 201c-201d 2022 2026 20ac 20b9 20bd
    20bf 2116 3001-3002 3008-300f 30fb-30fc
  `,
  Latin: `
    41-5a 61-7a c0-d6 d8-f6 f8-2af 1d00-1d25 1d2f 1d3b 1d4e 1d6b-1d77 1d79-1d9a 1e00-1eff 2132 214e 2183-2184
    2c60-2c7b 2c7e-2c7f a722-a76f a771-a787 a78b-a7ca a7d0-a7d1 a7d3 a7d5-a7d9 a7f5-a7f7 a7fa-a7ff ab30-ab5a
    ab60-ab64 ab66-ab68
  `,
  Greek: `
    370-373 376-377 37a-37d 37f 386 388-38a 38c 38e-3a1 3a3-3e1 3f0-3f5 3f7-3ff 1d26-1d2a 1f00-1f15 1f18-1f1d
    1f20-1f45 1f48-1f4d 1f50-1f57 1f59 1f5b 1f5d 1f5f-1f70 1f72 1f74 1f76 1f78 1f7a 1f7c 1f80-1fb4 1fb6-1fba 1fbc
    1fc2-1fc4 1fc6-1fc8 1fca 1fcc 1fd0-1fd2 1fd6-1fda 1fe0-1fe2 1fe4-1fea 1fec 1ff2-1ff4 1ff6-1ff8 1ffa 1ffc ab65
  `,
  Cyrillic: '400-481 483-484 487-52f 1c80-1c88 1d2b 2de0-2dff a640-a672 a674-a67d a67f-a69b a69e-a69f',
  Armenian: '531-556 559 560-588',
  Hebrew: '591-5bd 5bf 5c1-5c2 5c4-5c5 5c7 5d0-5ea 5ef-5f2',
  Arabic: `
    610-61a 620-63f 641-64a 656-669 66e-66f 671-6d3 6d5-6dc 6df-6e8 6ea-6fc 6ff 750-77f 870-887 889-88e 898-8e1
    8e3-8ff
  `,
  Devanagari: '900-950 955-957 960-963 966-96f 971-97f a8e0-a8f7 a8fb a8fd-a8ff',
  Bengali: `
    980-983 985-98c 98f-990 993-9a8 9aa-9b0 9b2 9b6-9b9 9bc-9c4 9c7-9c8 9cb-9ce 9d7 9e0-9e3 9e6-9f1 9fc 9fe
  `,
  Gurmukhi: 'a01-a03 a05-a0a a0f-a10 a13-a28 a2a-a30 a32 a35 a38-a39 a3c a3e-a42 a47-a48 a4b-a4d a51 a5c a66-a75',
  Gujarati: `
    a81-a83 a85-a8d a8f-a91 a93-aa8 aaa-ab0 ab2-ab3 ab5-ab9 abc-ac5 ac7-ac9 acb-acd ad0 ae0-ae3 ae6-aef af9-aff
  `,
  Oriya: `
    b01-b03 b05-b0c b0f-b10 b13-b28 b2a-b30 b32-b33 b35-b39 b3c-b44 b47-b48 b4b-b4d b55-b57 b5f-b63 b66-b6f b71
  `,
  Tamil: `
    b82-b83 b85-b8a b8e-b90 b92-b95 b99-b9a b9c b9e-b9f ba3-ba4 ba8-baa bae-bb9 bbe-bc2 bc6-bc8 bca-bcd bd0 bd7
    be6-bef
  `,
  Telugu: 'c00-c0c c0e-c10 c12-c28 c2a-c39 c3c-c44 c46-c48 c4a-c4d c55-c56 c58-c5a c5d c60-c63 c66-c6f',
  Kannada: `
    c80-c83 c85-c8c c8e-c90 c92-ca8 caa-cb3 cb5-cb9 cbc-cc4 cc6-cc8 cca-ccd cd5-cd6 cdd-cde ce0-ce3 ce6-cef cf1-cf2
  `,
  Malayalam: 'd00-d0c d0e-d10 d12-d44 d46-d48 d4a-d4e d54-d57 d5f-d63 d66-d6f d7a-d7f',
  Sinhala: 'd81-d83 d85-d96 d9a-db1 db3-dbb dbd dc0-dc6 dca dcf-dd4 dd6 dd8-ddf de6-def df2-df3',
  Thai: 'e01-e3a e40-e4e e50-e59',
  Lao: 'e81-e82 e84 e86-e8a e8c-ea3 ea5 ea7-ebd ec0-ec4 ec6 ec8-ecd ed0-ed9 edc-edf',
  Tibetan: `
    f00 f18-f19 f20-f29 f35 f37 f39 f3e-f42 f44-f47 f49-f4c f4e-f51 f53-f56 f58-f5b f5d-f68 f6a-f6c f71-f72 f74 f77
    f79-f80 f82-f84 f86-f92 f94-f97 f99-f9c f9e-fa1 fa3-fa6 fa8-fab fad-fb8 fba-fbc fc6
  `,
  Myanmar: '1000-1049 1050-109d a9e0-a9fe aa60-aa76 aa7a-aa7f',
  Georgian: '10a0-10c5 10c7 10cd 10d0-10fa 10fd-10ff 1c90-1cba 1cbd-1cbf 2d00-2d25 2d27 2d2d',
  Hangul: '1100-115e 1161-11ff 302e-302f 3131-3163 3165-318e a960-a97c ac00-d7a3 d7b0-d7c6 d7cb-d7fb',
  Ethiopic: `
    1200-1248 124a-124d 1250-1256 1258 125a-125d 1260-1288 128a-128d 1290-12b0 12b2-12b5 12b8-12be 12c0 12c2-12c5
    12c8-12d6 12d8-1310 1312-1315 1318-135a 135d-135f 1380-138f 2d80-2d96 2da0-2da6 2da8-2dae 2db0-2db6 2db8-2dbe
    2dc0-2dc6 2dc8-2dce 2dd0-2dd6 2dd8-2dde ab01-ab06 ab09-ab0e ab11-ab16 ab20-ab26 ab28-ab2e
  `,
  Khmer: '1780-17b3 17b6-17d3 17d7 17dc-17dd 17e0-17e9',
  Han: '3005 303b 3400-4dbf 4e00-9fff fa0e-fa0f fa11 fa13-fa14 fa1f fa21 fa23-fa24 fa27-fa29',
  Hiragana: '3041-3096 309d-309e',
  Katakana: '30a1-30fa 30fd-30fe 31f0-31ff',
  Bopomofo: '3105-312f 31a0-31bf'
}
