#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

// A peer to be measured against, not code to learn from: the prototype whose figures set the goals
// of rules/ (tests/bench/rules_bench.cc drives both in one run). It plays square boards of one
// compiled size with exact positional superko and without suicide, and needs AVX-512 with VBMI2 and
// BMI2. Kept as it was measured but for what warnings asked.
// NOLINTBEGIN
// clang-format off
namespace tengen::peer {

struct XRng{ uint64_t s[2]={0x9E3779B97F4A7C15ull,0xBF58476D1CE4E5B9ull};
 uint64_t next(){uint64_t a=s[0],b=s[1],r=a+b;b^=a;s[0]=((a<<24)|(a>>40))^b^(b<<16);s[1]=(b<<37)|(b>>27);return r;}
 uint32_t below(uint32_t n){return (uint32_t)(((next()>>32)*(uint64_t)n)>>32);} };
__extension__ typedef unsigned __int128 u128;
#define AI inline __attribute__((always_inline))
// --- two bitboard back ends with the same interface
struct B128{ u128 v; 
  AI static B128 zero(){return {0};} AI static B128 win(uint64_t m,int s){return {(u128)m<<s};} AI static B128 one(int b){return {(u128)1<<b};}
  AI uint64_t get(int s)const{return (uint64_t)(v>>s);} AI bool t(int b)const{return (uint64_t)(v>>b)&1;}
  AI B128 operator|(B128 o)const{return {v|o.v};} AI B128 operator&(B128 o)const{return {v&o.v};} AI B128 andn(B128 o)const{return {v&~o.v};}
  template<int S> AI B128 l()const{return {v<<S};} template<int S> AI B128 r()const{return {v>>S};}
  AI bool any()const{return v!=0;} AI uint64_t word(int i)const{return (uint64_t)(v>>(64*i));} static constexpr int W=2; };
struct B512{ __m512i v;
  AI static B512 zero(){return {_mm512_setzero_si512()};}
  AI static B512 win(uint64_t m,int s){int w=s>>6,r=s&63;uint64_t lo=m<<r,hi=r?m>>(64-r):0;return {_mm512_or_si512(_mm512_maskz_set1_epi64(1u<<w,lo),_mm512_maskz_set1_epi64(2u<<w,hi))};}
  AI static B512 one(int b){return {_mm512_maskz_set1_epi64(1u<<(b>>6),1ull<<(b&63))};}
  AI uint64_t get(int s)const{uint64_t x;memcpy(&x,(const char*)&v+(s>>3),8);return x>>(s&7);} AI bool t(int b)const{return ((const uint64_t*)&v)[b>>6]>>(b&63)&1;}
  AI B512 operator|(B512 o)const{return {_mm512_or_si512(v,o.v)};} AI B512 operator&(B512 o)const{return {_mm512_and_si512(v,o.v)};} AI B512 andn(B512 o)const{return {_mm512_andnot_si512(o.v,v)};}
  template<int S> AI B512 l()const{return {_mm512_shldi_epi64(v,_mm512_alignr_epi64(v,_mm512_setzero_si512(),7),S)};}
  template<int S> AI B512 r()const{return {_mm512_shrdi_epi64(v,_mm512_alignr_epi64(_mm512_setzero_si512(),v,1),S)};}
  AI bool any()const{return _mm512_test_epi64_mask(v,v);} AI uint64_t word(int i)const{return ((const uint64_t*)&v)[i];} static constexpr int W=8; };
template<int N> struct Go2{
  static constexpr int P=N+1,NP=P*(N+2)+1; using B=typename std::conditional<(NP<=128),B128,B512>::type; static constexpr int W=B::W;
  using id_t=typename std::conditional<(NP<256),uint8_t,uint16_t>::type;
  static constexpr uint64_t MASK=1ull|1ull<<(P-1)|1ull<<(P+1)|1ull<<(2*P);
  static AI int pt(int x,int y){return P+y*P+x;}
  struct Tab{ alignas(64) B board,edge; uint64_t K[NP]; uint64_t Z[2][NP]; uint8_t on[NP]; uint16_t pts[N*N];
    Tab(){ board=edge=B::zero(); memset(on,0,sizeof on); XRng r; r.s[0]^=N; for(int p=0;p<NP;p++){K[p]=(uint64_t)1<<52|(uint64_t)p<<32|(uint64_t)(p*p);Z[0][p]=r.next();Z[1][p]=r.next();}
      for(int y=0;y<N;y++)for(int x=0;x<N;x++){int p=pt(x,y);board=board|B::one(p);if(!x||!y||x==N-1||y==N-1)edge=edge|B::one(p);on[p]=(y>0)|(x>0)<<1|(x<N-1)<<2|(y<N-1)<<3;} } };
  static const Tab T;
  static AI bool single(uint64_t r){uint64_t c=r>>52,s=(r>>32)&0xFFFFF,q=(uint32_t)r;return c*q==s*s;}
  static AI uint32_t lib1(uint64_t r){static const uint32_t inv[5]={0,65536,32768,21846,16384};return (((r>>32)&0xFFFFF)*inv[(r>>52)&7])>>16;}
  alignas(64) B col[2]; B atari; B ever[2]; 
  uint64_t hash; int16_t ko; uint8_t to,passes; int16_t nmoves,nh;
  uint64_t rec[NP]; id_t id[NP],nx[NP],size[NP];
  static constexpr int BLOOM=N<=9?8:N<=13?16:32; uint64_t bloom[BLOOM];
  static constexpr int MAXH=N*N*3+8; uint64_t hist[MAXH];
  void reset(){memset(this,0,offsetof(Go2,hist));ko=-1;pushHash();}
  AI void pushHash(){hist[nh++]=hash;uint32_t k=hash&(BLOOM*64-1);bloom[k>>6]|=1ull<<(k&63);}
  bool seenSlow(uint64_t h)const{for(int i=nh-1;i>=0;i--)if(hist[i]==h)return true;return false;}
  AI bool seen(uint64_t h)const{uint32_t k=h&(BLOOM*64-1);if(!(bloom[k>>6]>>(k&63)&1))return false;return seenSlow(h);}
  AI B empty()const{return T.board.andn(col[0]|col[1]);}
  static AI B dil(B a){return a.template l<1>()|a.template r<1>()|a.template l<P>()|a.template r<P>();}
  AI B legalMask(int c)const{B e=empty();B d=dil(e|col[c].andn(atari)|(col[c^1]&atari))&e;if(ko>=0)d=d.andn(B::one(ko));return d;}
  AI B eyeMask(int c)const{B e=empty();const B o=col[c^1];B d=dil(e|o);B a=o.template l<P+1>(),b=o.template l<P-1>(),x=o.template r<P+1>(),y=o.template r<P-1>();B a1=a|b,a2=x|y;B two=(a&b)|(x&y)|(a1&a2);return e.andn(d).andn(two|((a1|a2)&T.edge));}
  static AI int pick(const B&a,XRng&R){
    if(W==2){uint64_t w0=a.word(0),w1=a.word(1);int c0=__builtin_popcountll(w0),n=c0+__builtin_popcountll(w1);if(!n)return -1;int k=R.below(n);bool h=k>=c0;uint64_t w=h?w1:w0;k-=h?c0:0;return (h?64:0)+__builtin_ctzll(_pdep_u64(1ull<<k,w));}
    int c[8],n=0;for(int i=0;i<7;i++){c[i]=n;n+=__builtin_popcountll(a.word(i));}if(!n)return -1;int k=R.below(n),i=0;for(int j=1;j<7;j++)i+=k>=c[j];return i*64+__builtin_ctzll(_pdep_u64(1ull<<(k-c[i]),a.word(i)));}
  static int popc(const B&a){int n=0;for(int i=0;i<W;i++)n+=__builtin_popcountll(a.word(i));return n;}
  AI uint32_t nib(const B&a,int p)const{return _pext_u64(a.get(p-P),MASK);}
  AI uint32_t same(int L,int r)const{return (id[L-P]==r)|(id[L-1]==r)<<1|(id[L+1]==r)<<2|(id[L+P]==r)<<3;}
  AI void mark(int L,int r){atari=atari|B::win(_pdep_u64(same(L,r),MASK),L-P);}
  AI void unmark(int L,int r){atari=atari.andn(B::win(_pdep_u64(same(L,r),MASK),L-P));}
  uint64_t hashAfter(int p,int c)const{uint64_t h=hash^T.Z[c][p];uint32_t o=nib(col[c^1],p);const int q[4]={p-P,p-1,p+1,p+P};int seenr[4],n=0;while(o){int i=__builtin_ctz(o);o&=o-1;int r=id[q[i]];if(single(rec[r])){bool d=false;for(int j=0;j<n;j++)d|=seenr[j]==r;if(!d){seenr[n++]=r;int s=r;do{h^=T.Z[c^1][s];s=nx[s];}while(s!=r);}}}return h;}
  AI bool superko(int p,int c)const{if(!ever[c].t(p))return false;return seen(hashAfter(p,c));}
  __attribute__((noinline)) void removeChain(int r,int c){ int s=r; alignas(64) uint64_t acc[8]={0,0,0,0,0,0,0,0};
    do{hash^=T.Z[c][s];acc[s>>6]|=1ull<<(s&63);id[s]=0;s=nx[s];}while(s!=r); B a;memcpy(&a,acc,sizeof a); col[c]=col[c].andn(a);
    s=r;do{const uint64_t k=T.K[s];const int q[4]={s-P,s-1,s+1,s+P};for(int i=0;i<4;i++){int g=id[q[i]];if(g){uint64_t v=rec[g];if((v>>52)&&single(v))unmark(lib1(v),g);rec[g]=v+k;}}s=nx[s];}while(s!=r);}
  AI void play(int p){const int c=to;to^=1;nmoves++;ko=-1;if(p<0){passes++;pushHash();return;}passes=0;
    const int q[4]={p-P,p-1,p+1,p+P};
    uint32_t own=nib(col[c],p),opp=nib(col[c^1],p);uint32_t emp=T.on[p]&~(own|opp);
    const int g0=id[q[0]],g1=id[q[1]],g2=id[q[2]],g3=id[q[3]];const int g[4]={g0,g1,g2,g3};
    const uint64_t k=T.K[p];rec[g0]-=k;rec[g1]-=k;rec[g2]-=k;rec[g3]-=k;
    uint64_t mine=(T.K[q[0]]&-(uint64_t)(emp&1))+(T.K[q[1]]&-(uint64_t)(emp>>1&1))+(T.K[q[2]]&-(uint64_t)(emp>>2&1))+(T.K[q[3]]&-(uint64_t)(emp>>3&1));
    hash^=T.Z[c][p];const B b1=B::one(p);col[c]=col[c]|b1;ever[c]=ever[c]|b1;atari=atari.andn(B::win(MASK,p-P));
    int root;
    if(!own){root=p;id[p]=p;nx[p]=p;size[p]=1;rec[p]=mine;}
    else{int i=__builtin_ctz(own);root=g[i];id[p]=root;nx[p]=nx[root];nx[root]=p;size[root]++;rec[root]+=mine;own&=own-1;
      while(own){int j=__builtin_ctz(own);own&=own-1;int a=id[q[j]];if(a!=root){int bg=root,sm=a;if(size[a]>size[root]){bg=a;sm=root;}int s=sm;do{id[s]=bg;s=nx[s];}while(s!=sm);int t=nx[bg];nx[bg]=nx[sm];nx[sm]=t;rec[bg]+=rec[sm];size[bg]+=size[sm];root=bg;}}}
    uint32_t at=(single(rec[g0])|single(rec[g1])<<1|single(rec[g2])<<2|single(rec[g3])<<3)&opp;
    int ncap=0,capr=0;
    while(at){int i=__builtin_ctz(at);at&=at-1;int gi=g[i];uint64_t v=rec[gi];if(v>>52)mark(lib1(v),gi);else if(id[q[i]]){ncap+=size[gi];capr=gi;removeChain(gi,c^1);}}
    uint64_t v=rec[root];if(single(v)){mark(lib1(v),root);if(ncap==1&&size[root]==1)ko=capr;}
    pushHash();}
};
template<int N> const typename Go2<N>::Tab Go2<N>::T;
#undef AI

}  // namespace tengen::peer
// clang-format on
// NOLINTEND
